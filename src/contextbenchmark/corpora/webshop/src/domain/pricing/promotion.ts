import type { CartLine } from "../cart/cart-line";
import { Money } from "./money";

export type Promotion =
  | { readonly kind: "percentage"; readonly name: string; readonly basisPoints: number; readonly tags: readonly string[] }
  | { readonly kind: "buy-n-pay-m"; readonly name: string; readonly buy: number; readonly pay: number; readonly tags: readonly string[] }
  | { readonly kind: "fixed-price"; readonly name: string; readonly price: Money; readonly tags: readonly string[] };

export interface AppliedPromotion {
  readonly name: string;
  readonly saving: Money;
}

/** What a promotion takes off a line; zero when it does not apply. */
export function savingOf(promotion: Promotion, line: CartLine): Money {
  const none = Money.zero(line.unitPrice.currency);
  if (!promotion.tags.some((tag) => line.tags.includes(tag))) {
    return none;
  }
  switch (promotion.kind) {
    case "percentage":
      return line.unitPrice.times(line.quantity).share(promotion.basisPoints);
    case "buy-n-pay-m": {
      const bundles = Math.floor(line.quantity / promotion.buy);
      return line.unitPrice.times(bundles * (promotion.buy - promotion.pay));
    }
    case "fixed-price":
      return promotion.price.isLessThan(line.unitPrice)
        ? line.unitPrice.minus(promotion.price).times(line.quantity)
        : none;
  }
}

/** Promotions do not stack on a line: the customer gets the best one, ties go to the one listed first. */
export function bestPromotion(promotions: readonly Promotion[], line: CartLine): AppliedPromotion | undefined {
  let best: AppliedPromotion | undefined;
  for (const promotion of promotions) {
    const saving = savingOf(promotion, line);
    if (!saving.isZero && (best === undefined || best.saving.isLessThan(saving))) {
      best = { name: promotion.name, saving };
    }
  }
  return best;
}
