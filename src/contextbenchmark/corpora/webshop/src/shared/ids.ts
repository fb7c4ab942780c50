/** Branded identifiers: a customer id cannot be passed where an order number is meant. */
export type Branded<Name extends string> = string & { readonly __brand: Name };

export type CustomerId = Branded<"CustomerId">;
export type VariantId = Branded<"VariantId">;
export type OrderNumber = Branded<"OrderNumber">;
export type CartId = Branded<"CartId">;

const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/**
 * Issues order numbers that people can read over the phone: no 0/O, no 1/I, and a check character at the
 * end that catches nearly every wrong letter and swap of neighbours.
 */
export class OrderNumberSequence {
  private last: number;

  constructor(last = 0) {
    this.last = last;
  }

  next(): OrderNumber {
    this.last += 1;
    let rest = this.last;
    let text = "";
    do {
      text = ALPHABET[rest % ALPHABET.length] + text;
      rest = Math.floor(rest / ALPHABET.length);
    } while (rest > 0);
    const body = text.padStart(6, "2");
    return (body + checkCharacter(body)) as OrderNumber;
  }
}

export function checkCharacter(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index += 1) {
    const value = ALPHABET.indexOf(body.charAt(index));
    sum += value * (index + 2);
  }
  return ALPHABET.charAt(sum % 31);
}

export function isOrderNumber(text: string): text is OrderNumber {
  return /^[2-9A-HJ-NP-Z]{7,}$/.test(text) && checkCharacter(text.slice(0, -1)) === text.slice(-1);
}
