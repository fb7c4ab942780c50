import type { Complaint } from "../../shared/checks";

export interface Address {
  readonly recipient: string;
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
  readonly country: string;
}

/** How postcodes look, by country. */
const POSTCODES: Readonly<Record<string, RegExp>> = {
  DE: /^\d{5}$/,
  FR: /^\d{5}$/,
  NL: /^\d{4} ?[A-Z]{2}$/,
  CH: /^[1-9]\d{3}$/,
};

const PICKUP_BOX = /\b(packstation|p\.?\s?o\.?\s?box|postfach)\b/i;

export function checkAddress(address: Address): Complaint[] {
  const complaints: Complaint[] = [];
  const pattern = POSTCODES[address.country];
  if (pattern === undefined) {
    complaints.push({ field: "country", message: "we do not deliver there" });
  } else if (!pattern.test(address.postcode.trim().toUpperCase())) {
    complaints.push({ field: "postcode", message: `is no postcode of ${address.country}` });
  }
  if (!/\d/.test(address.street) && !PICKUP_BOX.test(address.street)) {
    complaints.push({ field: "street", message: "has no house number" });
  }
  return complaints;
}

/** Parcels above thirty kilograms go by freight, which cannot deliver to a pick-up box. */
export function acceptsFreight(address: Address): boolean {
  return !PICKUP_BOX.test(address.street);
}

export function labelLines(address: Address): string[] {
  const place = address.country === "NL" ? `${address.postcode}  ${address.city}` : `${address.postcode} ${address.city}`;
  return [address.recipient, address.street, place.toUpperCase(), address.country];
}
