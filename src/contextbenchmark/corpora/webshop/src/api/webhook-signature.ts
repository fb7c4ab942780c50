import { equalInConstantTime } from "../infrastructure/scrypt-hasher";
import type { Clock } from "../shared/clock";
import { json, type Middleware } from "./http";

const TOLERANCE_SECONDS = 300;

/**
 * Incoming calls from the payment provider carry "t=<seconds>,v1=<hex>": an HMAC over time and body. An
 * old call is refused even when it is genuine, and a delivery seen before is answered without being run
 * again, because providers repeat what they are not sure has arrived.
 */
export function verifySignature(
  hmac: (text: string) => Promise<string>,
  clock: Clock,
  seen: { has(id: string): boolean; add(id: string): void },
): Middleware {
  return (next) => async (request) => {
    const parts = new Map(
      (request.headers["x-signature"] ?? "").split(",").map((part) => part.split("=") as [string, string]),
    );
    const sentAt = Number(parts.get("t"));
    const age = Math.abs(clock.now().getTime() / 1000 - sentAt);
    if (!Number.isFinite(sentAt) || age > TOLERANCE_SECONDS) {
      return json(400, { code: "stale_signature" });
    }
    const expected = await hmac(`${sentAt}.${request.body}`);
    if (!equalInConstantTime(expected, parts.get("v1") ?? "")) {
      return json(401, { code: "bad_signature" });
    }
    const delivery = request.headers["x-delivery-id"] ?? expected;
    if (seen.has(delivery)) {
      return json(200, { code: "already_processed" });
    }
    const response = await next(request);
    if (response.status < 500) {
      seen.add(delivery);
    }
    return response;
  };
}
