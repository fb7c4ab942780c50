import { failure, success, type Result } from "../../shared/result";

export type OrderState = "placed" | "paid" | "packed" | "shipped" | "delivered" | "cancelled" | "returned";

/** Which step may follow which. Everything that is not here is refused. */
const NEXT: Readonly<Record<OrderState, readonly OrderState[]>> = {
  placed: ["paid", "cancelled"],
  paid: ["packed", "cancelled"],
  packed: ["shipped", "cancelled"],
  shipped: ["delivered"],
  delivered: ["returned"],
  cancelled: [],
  returned: [],
};

export function transition(from: OrderState, to: OrderState): Result<OrderState, "illegal_transition"> {
  return NEXT[from].includes(to)
    ? success(to)
    : failure("illegal_transition", `an order that is ${from} cannot become ${to}`);
}

/** The customer may still call it off while the parcel is in the house. */
export function isCancellable(state: OrderState): boolean {
  return NEXT[state].includes("cancelled");
}

export function isFinal(state: OrderState): boolean {
  return NEXT[state].length === 0;
}

/** Steps for the progress bar on the order page; a cancelled order has no bar. */
export function progress(state: OrderState): number | undefined {
  const steps: readonly OrderState[] = ["placed", "paid", "packed", "shipped", "delivered"];
  const reached = steps.indexOf(state);
  return reached < 0 ? undefined : (reached + 1) / steps.length;
}
