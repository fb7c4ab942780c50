import type { TokenBucket } from "../infrastructure/token-bucket";
import { json, type Middleware, type Request } from "./http";

/** What a request costs the caller's bucket: guessing passwords is made expensive. */
function costOf(request: Request): number {
  if (request.path === "/sign-in" || request.path === "/reset") {
    return 5;
  }
  return request.method === "GET" ? 1 : 2;
}

/** Signed-in customers are counted by who they are, all others by the address the proxy saw. */
function callerOf(request: Request): string {
  const forwarded = request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim();
  return request.context.customer ?? forwarded ?? "unknown";
}

export function throttle(bucket: TokenBucket): Middleware {
  return (next) => async (request) => {
    const caller = callerOf(request);
    const cost = costOf(request);
    if (!bucket.allow(caller, cost)) {
      const wait = bucket.retryAfter(caller, cost);
      return json(429, { code: "too_many_requests", detail: `try again in ${wait} s` }, { "Retry-After": String(wait) });
    }
    return next(request);
  };
}
