import type { CancelOrder } from "../application/cancel-order";
import type { OrderRepository } from "../application/ports";
import type { Order } from "../domain/order/order";
import { isCancellable, progress } from "../domain/order/order-state";
import { isOrderNumber, type CustomerId } from "../shared/ids";
import { requireCustomer } from "./authentication";
import { chain, json } from "./http";
import { problem } from "./problem-responses";
import type { Router } from "./router";

/** What a customer sees of an order; internal notes and payment ids stay inside. */
export function orderView(order: Order): Record<string, unknown> {
  return {
    number: order.number,
    state: order.state,
    progress: progress(order.state),
    cancellable: isCancellable(order.state),
    placedAt: order.placedAt.toISOString(),
    lines: order.lines,
    total: order.quote.total.minor,
    currency: order.quote.total.currency,
  };
}

export function mountOrders(router: Router, orders: OrderRepository, cancel: CancelOrder): void {
  const list = chain([requireCustomer], async ({ context }) => {
    const mine = await orders.ofCustomer(context.customer as CustomerId);
    const newestFirst = mine.sort((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
    return json(200, { orders: newestFirst.map(orderView) });
  });
  router.on("GET", "/orders", list);

  const callOff = chain([requireCustomer], async ({ body, context }) => {
    const number = context.params.number ?? "";
    if (!isOrderNumber(number)) {
      return json(404, { code: "unknown_order", detail: "that is not an order number; is a letter wrong?" });
    }
    const { reason = "" } = JSON.parse(body || "{}") as { reason?: string };
    const result = await cancel.execute(number, context.customer as CustomerId, reason);
    return result.ok ? json(200, orderView(result.value)) : problem(result);
  });
  router.on("POST", "/orders/:number/cancellation", callOff);
}
