import type { Logger } from "../shared/logger";
import { json, type Middleware, type Response } from "./http";

/** HTTP status for each failure code of the use cases; what is not listed is the client's fault: 400. */
const STATUS: Readonly<Record<string, number>> = {
  unknown_order: 404,
  unknown_variant: 404,
  wrong_credentials: 401,
  account_locked: 423,
  sold_out: 409,
  not_enough_stock: 409,
  already_shipped: 409,
  payment_declined: 402,
  payment_unavailable: 503,
  link_expired: 410,
};

export function problem(failure: { readonly code: string; readonly detail: string }): Response {
  const status = STATUS[failure.code] ?? 400;
  const headers: Record<string, string> = { "Content-Type": "application/problem+json" };
  if (status === 503) {
    headers["Retry-After"] = "30";
  }
  return { status, headers, body: JSON.stringify({ title: failure.code, detail: failure.detail, status }) };
}

/** Last line of defence: what nobody expected is logged in full and told to the client in one word. */
export function catchUnexpected(logger: Logger): Middleware {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      logger.error("unexpected", { requestId: request.context.requestId, path: request.path, detail });
      return json(500, { title: "internal", requestId: request.context.requestId });
    }
  };
}
