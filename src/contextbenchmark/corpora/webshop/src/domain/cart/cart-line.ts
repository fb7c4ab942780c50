import type { VariantId } from "../../shared/ids";
import type { Money } from "../pricing/money";
import type { TaxClass } from "../pricing/tax";

export interface CartLine {
  readonly variant: VariantId;
  readonly title: string;
  readonly quantity: number;
  readonly unitPrice: Money;
  readonly grams: number;
  readonly tags: readonly string[];
  readonly taxClass: TaxClass;
  readonly engraving?: string;
}

export const MOST_PIECES = 99;

/** Two lines are the same article only if the engraving agrees as well. */
export function sameArticle(a: CartLine, b: CartLine): boolean {
  return a.variant === b.variant && (a.engraving ?? "") === (b.engraving ?? "");
}

export function withQuantity(line: CartLine, quantity: number): CartLine {
  return { ...line, quantity: Math.max(0, Math.min(MOST_PIECES, Math.trunc(quantity))) };
}

/** Engravings are cut by machine: Latin letters, digits, a few signs, twenty at most. */
export function isEngravable(text: string): boolean {
  return /^[\p{Script=Latin}0-9 .,&+'-]{1,20}$/u.test(text);
}
