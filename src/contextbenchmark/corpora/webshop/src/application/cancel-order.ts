import type { StockLedger } from "../domain/inventory/stock";
import { isCancellable } from "../domain/order/order-state";
import type { Order } from "../domain/order/order";
import type { Clock } from "../shared/clock";
import type { EventBus } from "../shared/event-bus";
import type { CustomerId, OrderNumber } from "../shared/ids";
import { failure, type Result } from "../shared/result";
import type { OrderRepository, PaymentGateway } from "./ports";

export type CancelProblem = "unknown_order" | "already_shipped" | "payment_unavailable" | "illegal_transition";

/** The customer calls an order off. Money first: if the refund cannot be made, nothing else changes. */
export class CancelOrder {
  constructor(
    private readonly orders: OrderRepository,
    private readonly payments: PaymentGateway,
    private readonly stock: StockLedger,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  async execute(number: OrderNumber, customer: CustomerId, reason: string): Promise<Result<Order, CancelProblem>> {
    const order = await this.orders.find(number);
    // Somebody else's order looks the same as none: numbers must not be probed.
    if (order === undefined || order.customer !== customer) {
      return failure("unknown_order", `there is no order ${number}`);
    }
    if (!isCancellable(order.state)) {
      return failure("already_shipped", "the parcel has left; please send it back instead");
    }
    const payment = order.history.find((entry) => entry.state === "paid");
    if (payment !== undefined) {
      const refunded = await this.payments.refund(payment.by, order.quote.total);
      if (!refunded.ok) {
        return refunded;
      }
    }
    const now = this.clock.now();
    const cancelled = order.advance("cancelled", now, customer);
    if (!cancelled.ok) {
      return cancelled;
    }
    for (const line of order.lines) {
      this.stock.record({ variant: line.variant, delta: line.quantity, reason: "return", at: now });
    }
    await this.orders.save(cancelled.value);
    await this.events.publish({ type: "order-cancelled", order: number, reason });
    return cancelled;
  }
}
