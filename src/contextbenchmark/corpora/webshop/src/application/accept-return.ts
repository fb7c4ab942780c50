import type { StockLedger } from "../domain/inventory/stock";
import {
  checkReturn,
  destination,
  refundAmount,
  type Grade,
  type ReturnedPiece,
  type ReturnProblem,
} from "../domain/order/return-request";
import { Money } from "../domain/pricing/money";
import type { Clock } from "../shared/clock";
import type { OrderNumber } from "../shared/ids";
import { failure, success, type Result } from "../shared/result";
import type { OrderRepository, PaymentGateway } from "./ports";

export interface GradedPiece extends ReturnedPiece {
  readonly grade: Grade;
}

/** The warehouse has opened the parcel that came back: grade the pieces, restock them, pay the customer. */
export class AcceptReturn {
  constructor(
    private readonly orders: OrderRepository,
    private readonly payments: PaymentGateway,
    private readonly stock: StockLedger,
    private readonly clock: Clock,
  ) {}

  async execute(
    number: OrderNumber,
    pieces: readonly GradedPiece[],
  ): Promise<Result<Money, ReturnProblem | "unknown_order" | "payment_unavailable">> {
    const order = await this.orders.find(number);
    if (order === undefined) {
      return failure("unknown_order", `there is no order ${number}`);
    }
    const now = this.clock.now();
    const checked = checkReturn(order, pieces, now);
    if (!checked.ok) {
      return checked;
    }
    const amount = Money.of(refundAmount(order, pieces), order.quote.total.currency);
    const payment = order.history.find((entry) => entry.state === "paid");
    const refunded = await this.payments.refund(payment?.by ?? "", amount);
    if (!refunded.ok) {
      return refunded;
    }
    for (const piece of pieces) {
      if (destination(piece.grade) === "stock") {
        this.stock.record({ variant: piece.variant, delta: piece.quantity, reason: "return", at: now });
      }
    }
    const returned = order.advance("returned", now, "warehouse");
    if (returned.ok) {
      await this.orders.save(returned.value);
    }
    return success(amount);
  }
}
