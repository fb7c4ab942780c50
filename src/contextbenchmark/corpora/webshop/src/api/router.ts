import { json, withContext, type Handler, type Request, type Response } from "./http";

interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly handler: Handler;
}

/** Matches paths such as /orders/:number, literal segments before parameters. */
export class Router {
  private readonly routes: Route[] = [];

  on(method: string, pattern: string, handler: Handler): this {
    this.routes.push({ method, segments: split(pattern), handler });
    this.routes.sort((a, b) => parameters(a) - parameters(b));
    return this;
  }

  async dispatch(request: Request): Promise<Response> {
    const segments = split(request.path);
    const allowed = new Set<string>();
    for (const route of this.routes) {
      const params = match(route.segments, segments);
      if (params === undefined) {
        continue;
      }
      if (route.method === request.method) {
        return route.handler(withContext(request, { params }));
      }
      allowed.add(route.method);
    }
    if (allowed.size > 0) {
      return json(405, { code: "method_not_allowed" }, { Allow: [...allowed].sort().join(", ") });
    }
    return json(404, { code: "not_found", detail: `nothing lives at ${request.path}` });
  }
}

function split(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function parameters(route: Route): number {
  return route.segments.filter((segment) => segment.startsWith(":")).length;
}

function match(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [position, expected] of pattern.entries()) {
    const actual = path[position] ?? "";
    if (expected.startsWith(":")) {
      params[expected.slice(1)] = decodeURIComponent(actual);
    } else if (expected !== actual) {
      return undefined;
    }
  }
  return params;
}
