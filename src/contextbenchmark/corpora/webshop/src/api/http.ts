/** The few things about HTTP that handlers see. The server translates to and from the platform's own. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly context: RequestContext;
}

export interface RequestContext {
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly customer?: string;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Handler = (request: Request) => Promise<Response>;
export type Middleware = (next: Handler) => Handler;

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(value) };
}

export function withContext(request: Request, changes: Partial<RequestContext>): Request {
  return { ...request, context: { ...request.context, ...changes } };
}

/** The first middleware is the outermost. */
export function chain(middlewares: readonly Middleware[], handler: Handler): Handler {
  return middlewares.reduceRight((next, middleware) => middleware(next), handler);
}
