import type { ProductRepository } from "../application/ports";
import type { SearchProducts } from "../application/search-products";
import type { LruCache } from "../infrastructure/lru-cache";
import { json, type Request, type Response } from "./http";
import { linkHeader, paginate } from "./pagination";
import type { Router } from "./router";

/** Browsing: the list of products with filters, and one product by its slug. Cached for a minute. */
export function mountCatalog(
  router: Router,
  search: SearchProducts,
  products: ProductRepository,
  cache: LruCache<string, Response>,
): void {
  router.on("GET", "/products", async (request) => {
    const key = request.path + JSON.stringify(Object.entries(request.query).sort());
    const cached = cache.get(key);
    if (cached !== undefined) {
      return cached;
    }
    const response = await list(request, search);
    cache.set(key, response);
    return response;
  });

  router.on("GET", "/products/:slug", async (request) => {
    const product = await products.bySlug(request.context.params.slug ?? "");
    return product === undefined
      ? json(404, { code: "not_found", detail: "no such product" })
      : json(200, product, { "Cache-Control": "public, max-age=60" });
  });
}

async function list(request: Request, search: SearchProducts): Promise<Response> {
  const { q, category, brand, sort, cursor } = request.query;
  const limit = Number(request.query.limit ?? 24) || 24;
  const answer = await search.execute({
    text: q,
    category,
    brands: brand === undefined ? undefined : brand.split(","),
    sort: sort === "title" || sort === "newest" ? sort : "relevance",
  });
  const page = paginate(answer.products, (product) => product.slug, cursor, limit);
  const link = linkHeader(request.path, page, limit);
  const body = { ...page, brands: Object.fromEntries(answer.brandCounts) };
  return json(200, body, link === undefined ? {} : { Link: link });
}
