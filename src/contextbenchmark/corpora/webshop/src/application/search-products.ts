import type { CategoryTree } from "../domain/catalog/category-tree";
import { isVisible, type Product } from "../domain/catalog/product";
import type { TextIndex } from "../infrastructure/text-index";
import type { Clock } from "../shared/clock";
import type { ProductRepository } from "./ports";

export interface SearchRequest {
  readonly text?: string;
  readonly category?: string;
  readonly brands?: readonly string[];
  readonly sort?: "relevance" | "title" | "newest";
}

export interface SearchAnswer {
  readonly products: readonly Product[];
  /** How many hits each brand has, before the brand filter: the numbers beside the checkboxes. */
  readonly brandCounts: ReadonlyMap<string, number>;
}

export class SearchProducts {
  constructor(
    private readonly products: ProductRepository,
    private readonly categories: CategoryTree,
    private readonly index: TextIndex,
    private readonly clock: Clock,
  ) {}

  async execute(request: SearchRequest): Promise<SearchAnswer> {
    const now = this.clock.now();
    let found = (await this.products.all()).filter((product) => isVisible(product, now));
    if (request.category !== undefined) {
      const wanted = new Set(this.categories.descendants(request.category));
      found = found.filter((product) => wanted.has(product.category));
    }
    if (request.text !== undefined && request.text.trim() !== "") {
      const rank = new Map(this.index.search(request.text).map((slug, position) => [slug, position]));
      found = found
        .filter((product) => rank.has(product.slug))
        .sort((a, b) => (rank.get(a.slug) ?? 0) - (rank.get(b.slug) ?? 0));
    }
    const brandCounts = new Map<string, number>();
    for (const product of found) {
      brandCounts.set(product.brand, (brandCounts.get(product.brand) ?? 0) + 1);
    }
    if (request.brands !== undefined && request.brands.length > 0) {
      found = found.filter((product) => request.brands?.includes(product.brand));
    }
    return { products: sorted(found, request.sort ?? "relevance"), brandCounts };
  }
}

function sorted(products: readonly Product[], order: "relevance" | "title" | "newest"): Product[] {
  const copy = [...products];
  if (order === "title") {
    copy.sort((a, b) => a.title.localeCompare(b.title, "en"));
  } else if (order === "newest") {
    copy.sort((a, b) => (b.publishedAt?.getTime() ?? 0) - (a.publishedAt?.getTime() ?? 0));
  }
  return copy;
}
