import { mountCart } from "./api/cart-routes";
import { mountCatalog } from "./api/catalog-routes";
import { chain, type Handler, type Response } from "./api/http";
import { catchUnexpected } from "./api/problem-responses";
import { Router } from "./api/router";
import { throttle } from "./api/throttle";
import { AddToCart } from "./application/add-to-cart";
import { SearchProducts } from "./application/search-products";
import { CategoryTree, type Category } from "./domain/catalog/category-tree";
import { PriceList } from "./domain/catalog/price-list";
import type { Product } from "./domain/catalog/product";
import { ReservationBook } from "./domain/inventory/reservation";
import { StockLedger } from "./domain/inventory/stock";
import { JobScheduler } from "./infrastructure/job-scheduler";
import { LruCache } from "./infrastructure/lru-cache";
import { MemoryCarts, MemoryProducts } from "./infrastructure/memory-repositories";
import { TextIndex } from "./infrastructure/text-index";
import { TokenBucket } from "./infrastructure/token-bucket";
import { SystemClock } from "./shared/clock";
import { LineLogger } from "./shared/logger";

/** Wire the shop together. Nothing is global: two shops can run side by side in one process. */
export function createShop(
  catalogue: readonly Product[],
  categories: readonly Category[],
  write: (line: string) => void,
): { handle: Handler; jobs: JobScheduler; prices: PriceList; stock: StockLedger } {
  const clock = new SystemClock();
  const logger = new LineLogger(write);
  const products = new MemoryProducts(catalogue);
  const carts = new MemoryCarts();
  const prices = new PriceList();
  const stock = new StockLedger();
  const reservations = new ReservationBook();
  const index = new TextIndex();
  catalogue.forEach((product) => index.add(product));

  const router = new Router();
  const search = new SearchProducts(products, new CategoryTree(categories), index, clock);
  mountCatalog(router, search, products, new LruCache<string, Response>(500));
  mountCart(router, new AddToCart(carts, products, prices, stock, clock), carts, clock);

  const bucket = new TokenBucket(clock, 60, 10);
  const jobs = new JobScheduler(clock, logger);
  jobs.every(5, "release expired reservations", async () => reservations.releaseExpired(clock.now()));
  jobs.every(10, "sweep rate limits", async () => bucket.sweep());

  const handle = chain([catchUnexpected(logger), throttle(bucket)], (request) => router.dispatch(request));
  return { handle, jobs, prices, stock };
}
