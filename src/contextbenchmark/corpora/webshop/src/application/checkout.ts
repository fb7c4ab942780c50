import type { ReservationBook } from "../domain/inventory/reservation";
import type { StockLedger } from "../domain/inventory/stock";
import type { Address } from "../domain/customer/address";
import { Order } from "../domain/order/order";
import type { Quote } from "../domain/pricing/quote";
import type { Cart } from "../domain/cart/cart";
import type { Clock } from "../shared/clock";
import type { EventBus } from "../shared/event-bus";
import type { CustomerId, OrderNumberSequence } from "../shared/ids";
import { failure, success, type Result } from "../shared/result";
import type { OrderRepository, PaymentGateway } from "./ports";

export interface CheckoutRequest {
  readonly cart: Cart;
  readonly customer: CustomerId;
  readonly quote: Quote;
  readonly shipTo: Address;
  readonly cardToken: string;
}

export type CheckoutProblem = "cart_empty" | "sold_out" | "payment_declined" | "payment_unavailable";

/** Reserve, charge, record the sale, tell the others. Whatever fails leaves no goods held. */
export class Checkout {
  constructor(
    private readonly reservations: ReservationBook,
    private readonly stock: StockLedger,
    private readonly payments: PaymentGateway,
    private readonly orders: OrderRepository,
    private readonly numbers: OrderNumberSequence,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly reservationMinutes: number,
  ) {}

  async execute(request: CheckoutRequest): Promise<Result<Order, CheckoutProblem>> {
    const { cart, customer, quote, shipTo } = request;
    const now = this.clock.now();
    if (cart.isEmpty) {
      return failure("cart_empty", "there is nothing to buy");
    }
    const expiresAt = new Date(now.getTime() + this.reservationMinutes * 60_000);
    for (const { variant, quantity } of cart.lines) {
      if (!this.reservations.hold({ cart: cart.id, variant, quantity, expiresAt }, this.stock.available(variant), now)) {
        this.reservations.release(cart.id);
        return failure("sold_out", `${variant} was sold while you were shopping`);
      }
    }
    const number = this.numbers.next();
    const charged = await this.payments.charge(quote.total, request.cardToken, number);
    if (!charged.ok) {
      // An unreachable provider may yet answer: the hold stays until it runs out.
      if (charged.code === "payment_declined") {
        this.reservations.release(cart.id);
      }
      return charged;
    }
    for (const { variant, quantity } of cart.lines) {
      this.stock.record({ variant, delta: -quantity, reason: "sale", at: now });
    }
    this.reservations.release(cart.id);
    const lines = cart.lines.map((line, position) => ({
      variant: line.variant,
      title: line.title,
      quantity: line.quantity,
      payable: quote.lines[position]?.payable.minor ?? 0,
    }));
    const history = [
      { state: "placed" as const, at: now, by: customer },
      { state: "paid" as const, at: this.clock.now(), by: charged.value },
    ];
    const order = new Order(number, customer, lines, quote, shipTo, history);
    await this.orders.save(order);
    await this.events.publish({ type: "order-placed", order: number, customer });
    return success(order);
  }
}
