import type { Cart } from "../cart/cart";
import { couponShares, type Coupon } from "./coupon";
import { Money, sumOf } from "./money";
import { bestPromotion, type Promotion } from "./promotion";
import { containedTax, type TaxLine } from "./tax";

export interface QuotedLine {
  readonly variant: string;
  readonly quantity: number;
  readonly list: Money;
  readonly promotion?: string;
  readonly payable: Money;
}

export interface Quote {
  readonly lines: readonly QuotedLine[];
  readonly goods: Money;
  readonly discount: Money;
  readonly shipping: Money;
  readonly total: Money;
  readonly taxes: readonly TaxLine[];
}

/** Put a price on a cart: promotions per line, then the coupon over all, then shipping, then tax. */
export function quote(
  cart: Cart,
  promotions: readonly Promotion[],
  shipping: Money,
  country: string,
  coupon?: Coupon,
): Quote {
  const currency = shipping.currency;
  const priced = cart.lines.map((line) => {
    const list = line.unitPrice.times(line.quantity);
    const applied = bestPromotion(promotions, line);
    return { line, list, applied, afterPromotion: applied ? list.minus(applied.saving) : list };
  });
  const shares = coupon
    ? couponShares(coupon, priced.map((entry) => entry.afterPromotion))
    : priced.map(() => 0);
  const lines = priced.map((entry, position) => ({
    variant: entry.line.variant,
    quantity: entry.line.quantity,
    list: entry.list,
    promotion: entry.applied?.name,
    payable: entry.afterPromotion.minus(Money.of(shares[position] ?? 0, currency)),
  }));
  const goods = sumOf(lines.map((line) => line.payable), currency);
  const taxed = lines.map((line, position) => ({
    gross: line.payable,
    taxClass: cart.lines[position]?.taxClass ?? ("standard" as const),
  }));
  return {
    lines,
    goods,
    discount: sumOf(priced.map((entry) => entry.list), currency).minus(goods),
    shipping,
    total: goods.plus(shipping),
    taxes: containedTax([...taxed, { gross: shipping, taxClass: "standard" }], country, currency),
  };
}
