import type { CustomerId, OrderNumber, VariantId } from "../../shared/ids";
import { andThen, success, type Result } from "../../shared/result";
import type { Address } from "../customer/address";
import type { Quote } from "../pricing/quote";
import { transition, type OrderState } from "./order-state";

export interface OrderLine {
  readonly variant: VariantId;
  readonly title: string;
  readonly quantity: number;
  readonly payable: number;
}

export interface HistoryEntry {
  readonly state: OrderState;
  readonly at: Date;
  readonly by: string;
}

/** A placed order. Prices are frozen in it: a later change of the catalogue does not touch it. */
export class Order {
  constructor(
    readonly number: OrderNumber,
    readonly customer: CustomerId,
    readonly lines: readonly OrderLine[],
    readonly quote: Quote,
    readonly shipTo: Address,
    readonly history: readonly HistoryEntry[],
  ) {}

  get state(): OrderState {
    return this.history.at(-1)?.state ?? "placed";
  }

  get placedAt(): Date {
    const first = this.history[0];
    if (first === undefined) {
      throw new Error(`order ${this.number} has no history`);
    }
    return first.at;
  }

  advance(to: OrderState, at: Date, by: string): Result<Order, "illegal_transition"> {
    return andThen(transition(this.state, to), (state) =>
      success(
        new Order(this.number, this.customer, this.lines, this.quote, this.shipTo, [...this.history, { state, at, by }]),
      ),
    );
  }

  reachedAt(state: OrderState): Date | undefined {
    return this.history.find((entry) => entry.state === state)?.at;
  }

  get pieces(): number {
    return this.lines.reduce((sum, line) => sum + line.quantity, 0);
  }
}
