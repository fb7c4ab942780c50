import { Money } from "../pricing/money";

export interface Zone {
  readonly name: string;
  readonly countries: readonly string[];
  /** Upper weight in grams and price in minor units, ascending. */
  readonly steps: readonly (readonly [number, number])[];
}

const ZONES: readonly Zone[] = [
  { name: "home", countries: ["DE"], steps: [[2_000, 490], [5_000, 690], [10_000, 990], [30_000, 1690]] },
  { name: "near", countries: ["NL", "FR"], steps: [[2_000, 890], [5_000, 1290], [30_000, 2490]] },
  { name: "outside customs", countries: ["CH"], steps: [[2_000, 1490], [30_000, 3490]] },
];

export type Service = "standard" | "express";
const EXPRESS_SURCHARGE = 790;

/** Price of sending a weight to a country; undefined where the shop does not deliver. */
export function shippingPrice(
  country: string,
  grams: number,
  service: Service,
  currency: string,
): Money | undefined {
  const zone = ZONES.find((candidate) => candidate.countries.includes(country));
  const step = zone?.steps.find(([upTo]) => grams <= upTo);
  if (step === undefined) {
    return undefined;
  }
  return Money.of(step[1] + (service === "express" ? EXPRESS_SURCHARGE : 0), currency);
}

/** Free from a certain cart value on, at home only, and never by express. */
export function effectiveShipping(price: Money, cartValue: Money, country: string, service: Service, freeFrom: Money): Money {
  const free = country === "DE" && service === "standard" && !cartValue.isLessThan(freeFrom);
  return free ? Money.zero(price.currency) : price;
}
