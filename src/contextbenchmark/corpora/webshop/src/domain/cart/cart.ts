import type { CartId, CustomerId } from "../../shared/ids";
import { sumOf, type Money } from "../pricing/money";
import { sameArticle, withQuantity, type CartLine } from "./cart-line";

/** A cart is a value: every change gives a new one, so that an undo button costs nothing. */
export class Cart {
  constructor(
    readonly id: CartId,
    readonly lines: readonly CartLine[],
    readonly touchedAt: Date,
    readonly owner?: CustomerId,
    readonly couponCode?: string,
  ) {}

  add(line: CartLine, now: Date): Cart {
    const position = this.lines.findIndex((other) => sameArticle(other, line));
    if (position < 0) {
      return this.changed([...this.lines, withQuantity(line, line.quantity)], now);
    }
    const lines = this.lines.map((other, index) =>
      index === position ? withQuantity({ ...other, unitPrice: line.unitPrice }, other.quantity + line.quantity) : other,
    );
    return this.changed(lines, now);
  }

  /** Setting a quantity of zero takes the line out. */
  setQuantity(index: number, quantity: number, now: Date): Cart {
    const lines = this.lines
      .map((line, position) => (position === index ? withQuantity(line, quantity) : line))
      .filter((line) => line.quantity > 0);
    return this.changed(lines, now);
  }

  withCoupon(code: string | undefined, now: Date): Cart {
    return new Cart(this.id, this.lines, now, this.owner, code);
  }

  value(currency: string): Money {
    return sumOf(
      this.lines.map((line) => line.unitPrice.times(line.quantity)),
      currency,
    );
  }

  get grams(): number {
    return this.lines.reduce((sum, line) => sum + line.grams * line.quantity, 0);
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  private changed(lines: readonly CartLine[], now: Date): Cart {
    return new Cart(this.id, lines, now, this.owner, this.couponCode);
  }
}
