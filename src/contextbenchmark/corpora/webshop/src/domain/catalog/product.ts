import type { VariantId } from "../../shared/ids";
import type { TaxClass } from "../pricing/tax";

export interface Product {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly brand: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly taxClass: TaxClass;
  readonly variants: readonly Variant[];
  readonly publishedAt?: Date;
}

/** What is actually bought: one size and colour of a product. */
export interface Variant {
  readonly id: VariantId;
  readonly options: Readonly<Record<string, string>>;
  readonly grams: number;
  readonly engravable: boolean;
}

export function isVisible(product: Product, now: Date): boolean {
  return product.publishedAt !== undefined && product.publishedAt <= now && product.variants.length > 0;
}

/** Make a slug for the address bar: accents off, words joined by hyphens, nothing else left. */
export function slugify(title: string): string {
  return title
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** Find the variant that has all of the chosen options; undefined while the choice is ambiguous. */
export function pickVariant(product: Product, chosen: Readonly<Record<string, string>>): Variant | undefined {
  const matching = product.variants.filter((variant) =>
    Object.entries(chosen).every(([option, value]) => variant.options[option] === value),
  );
  return matching.length === 1 ? matching[0] : undefined;
}
