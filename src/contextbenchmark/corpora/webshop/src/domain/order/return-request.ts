import { addDays } from "../../shared/clock";
import type { VariantId } from "../../shared/ids";
import { failure, success, type Result } from "../../shared/result";
import { allocate } from "../pricing/rounding";
import type { Order } from "./order";

export const RETURN_DAYS = 30;

export type Grade = "as-new" | "worn" | "broken";

export interface ReturnedPiece {
  readonly variant: VariantId;
  readonly quantity: number;
}

export type ReturnProblem = "not_delivered" | "too_late" | "not_in_order";

export function checkReturn(order: Order, pieces: readonly ReturnedPiece[], now: Date): Result<Order, ReturnProblem> {
  const delivered = order.reachedAt("delivered");
  if (delivered === undefined) {
    return failure("not_delivered", `order ${order.number} has not arrived yet`);
  }
  if (now > addDays(delivered, RETURN_DAYS)) {
    return failure("too_late", `goods can come back for ${RETURN_DAYS} days after delivery`);
  }
  for (const piece of pieces) {
    const bought = order.lines.find((line) => line.variant === piece.variant)?.quantity ?? 0;
    if (piece.quantity > bought) {
      return failure("not_in_order", `${bought} of ${piece.variant} were bought, not ${piece.quantity}`);
    }
  }
  return success(order);
}

/** What is paid back: the share of each line for the pieces returned, and shipping if everything comes back. */
export function refundAmount(order: Order, pieces: readonly ReturnedPiece[]): number {
  let refund = 0;
  let returned = 0;
  for (const piece of pieces) {
    const line = order.lines.find((candidate) => candidate.variant === piece.variant);
    if (line === undefined) {
      continue;
    }
    const [share] = allocate(line.payable, [piece.quantity, line.quantity - piece.quantity]);
    refund += share ?? 0;
    returned += piece.quantity;
  }
  return returned === order.pieces ? refund + order.quote.shipping.minor : refund;
}

export function destination(grade: Grade): "stock" | "outlet" | "write-off" {
  return grade === "as-new" ? "stock" : grade === "worn" ? "outlet" : "write-off";
}
