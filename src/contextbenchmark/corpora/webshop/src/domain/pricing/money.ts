import { divideHalfEven } from "./rounding";

/** An amount in minor units of one currency. Never a floating-point number of euros. */
export class Money {
  private constructor(
    readonly minor: number,
    readonly currency: string,
  ) {
    if (!Number.isSafeInteger(minor)) {
      throw new RangeError(`not a whole number of minor units: ${minor}`);
    }
  }

  static of(minor: number, currency: string): Money {
    return new Money(minor, currency);
  }

  static zero(currency: string): Money {
    return new Money(0, currency);
  }

  plus(other: Money): Money {
    return new Money(this.minor + this.same(other).minor, this.currency);
  }

  minus(other: Money): Money {
    return new Money(this.minor - this.same(other).minor, this.currency);
  }

  times(count: number): Money {
    return new Money(this.minor * count, this.currency);
  }

  /** A share of the amount in basis points: 1900 is nineteen per cent. */
  share(basisPoints: number): Money {
    return new Money(divideHalfEven(this.minor * basisPoints, 10_000), this.currency);
  }

  isLessThan(other: Money): boolean {
    return this.minor < this.same(other).minor;
  }

  get isZero(): boolean {
    return this.minor === 0;
  }

  private same(other: Money): Money {
    if (other.currency !== this.currency) {
      throw new TypeError(`cannot mix ${this.currency} and ${other.currency}`);
    }
    return other;
  }
}

export function sumOf(amounts: readonly Money[], currency: string): Money {
  return amounts.reduce((total, amount) => total.plus(amount), Money.zero(currency));
}
