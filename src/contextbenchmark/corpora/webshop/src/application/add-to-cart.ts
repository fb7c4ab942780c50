import { Cart } from "../domain/cart/cart";
import { isEngravable } from "../domain/cart/cart-line";
import type { PriceList } from "../domain/catalog/price-list";
import { isVisible } from "../domain/catalog/product";
import type { StockLedger } from "../domain/inventory/stock";
import type { Clock } from "../shared/clock";
import type { CartId, VariantId } from "../shared/ids";
import { failure, success, type Result } from "../shared/result";
import type { CartRepository, ProductRepository } from "./ports";

export type AddToCartProblem = "unknown_variant" | "no_price" | "not_enough_stock" | "bad_engraving";

export interface AddToCartRequest {
  readonly cart: CartId;
  readonly variant: VariantId;
  readonly quantity: number;
  readonly engraving?: string;
}

export class AddToCart {
  constructor(
    private readonly carts: CartRepository,
    private readonly products: ProductRepository,
    private readonly prices: PriceList,
    private readonly stock: StockLedger,
    private readonly clock: Clock,
  ) {}

  async execute(request: AddToCartRequest): Promise<Result<Cart, AddToCartProblem>> {
    const now = this.clock.now();
    const product = await this.products.byVariant(request.variant);
    const variant = product?.variants.find((candidate) => candidate.id === request.variant);
    if (product === undefined || variant === undefined || !isVisible(product, now)) {
      return failure("unknown_variant", `there is no article ${request.variant}`);
    }
    if (request.engraving !== undefined && !(variant.engravable && isEngravable(request.engraving))) {
      return failure("bad_engraving", "this article cannot be engraved like that");
    }
    const cart = (await this.carts.find(request.cart)) ?? new Cart(request.cart, [], now);
    const already = cart.lines.find((line) => line.variant === request.variant)?.quantity ?? 0;
    const wanted = already + request.quantity;
    if (wanted > this.stock.available(request.variant)) {
      return failure("not_enough_stock", `only ${this.stock.available(request.variant)} left`);
    }
    const unitPrice = this.prices.unitPrice(request.variant, wanted, now);
    if (unitPrice === undefined) {
      return failure("no_price", `${request.variant} has no price yet`);
    }
    const { title, tags, taxClass } = product;
    const changed = cart.add({ ...request, title, tags, taxClass, unitPrice, grams: variant.grams }, now);
    await this.carts.save(changed);
    return success(changed);
  }
}
