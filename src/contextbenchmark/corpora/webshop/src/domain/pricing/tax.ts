import { Money } from "./money";

/** Rates in basis points, by country and class of goods. Prices in the shop include tax. */
const RATES: Readonly<Record<string, Readonly<Record<TaxClass, number>>>> = {
  DE: { standard: 1900, reduced: 700, zero: 0 },
  FR: { standard: 2000, reduced: 550, zero: 0 },
  NL: { standard: 2100, reduced: 900, zero: 0 },
  CH: { standard: 810, reduced: 260, zero: 0 },
};

export type TaxClass = "standard" | "reduced" | "zero";

export interface TaxedAmount {
  readonly gross: Money;
  readonly taxClass: TaxClass;
}

export interface TaxLine {
  readonly basisPoints: number;
  readonly net: Money;
  readonly tax: Money;
}

export function rateFor(country: string, taxClass: TaxClass): number {
  const rates = RATES[country];
  if (rates === undefined) {
    throw new RangeError(`the shop does not deliver to ${country}`);
  }
  return rates[taxClass];
}

/**
 * Take the tax that is contained in gross amounts out of them, once per rate: summing first and rounding
 * once is what the tax office does, and what makes the invoice add up.
 */
export function containedTax(amounts: readonly TaxedAmount[], country: string, currency: string): TaxLine[] {
  const byRate = new Map<number, Money>();
  for (const { gross, taxClass } of amounts) {
    const rate = rateFor(country, taxClass);
    byRate.set(rate, (byRate.get(rate) ?? Money.zero(currency)).plus(gross));
  }
  return [...byRate.entries()]
    .sort(([a], [b]) => b - a)
    .map(([basisPoints, gross]) => {
      const net = Money.of(Math.round((gross.minor * 10_000) / (10_000 + basisPoints)), currency);
      return { basisPoints, net, tax: gross.minus(net) };
    });
}

/** A business in another country with a checked VAT number pays the tax itself. */
export function isReverseCharge(sellerCountry: string, buyerCountry: string, vatNumber?: string): boolean {
  return sellerCountry !== buyerCountry && vatNumber !== undefined && /^[A-Z]{2}[0-9A-Z]{8,12}$/.test(vatNumber);
}
