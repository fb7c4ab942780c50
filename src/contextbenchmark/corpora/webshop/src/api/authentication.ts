import type { SignIn } from "../application/sign-in";
import { json, withContext, type Middleware } from "./http";

/** Reads the session cookie or a bearer token and notes who is asking; does not insist on anybody. */
export function identify(signIn: SignIn): Middleware {
  return (next) => async (request) => {
    const token = bearer(request.headers.authorization) ?? cookie(request.headers.cookie, "session");
    const session = token === undefined ? undefined : signIn.sessionOf(token);
    return next(session === undefined ? request : withContext(request, { customer: session.customer }));
  };
}

/** For routes that need somebody to be signed in. */
export const requireCustomer: Middleware = (next) => async (request) =>
  request.context.customer === undefined
    ? json(401, { code: "sign_in_required" }, { "WWW-Authenticate": "Bearer" })
    : next(request);

/** Changing requests from a browser must carry the header that only our own pages can set (CSRF). */
export const refuseForgedRequests: Middleware = (next) => async (request) => {
  const changing = !["GET", "HEAD", "OPTIONS"].includes(request.method);
  const byCookie = request.headers.cookie !== undefined && request.headers.authorization === undefined;
  if (changing && byCookie && request.headers["x-requested-with"] !== "webshop") {
    return json(403, { code: "forged_request" });
  }
  return next(request);
};

function bearer(header: string | undefined): string | undefined {
  return header?.startsWith("Bearer ") ? header.slice(7) : undefined;
}

function cookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([key]) => key === name)?.[1];
}
