import type { CustomerId, OrderNumber, VariantId } from "./ids";
import type { Logger } from "./logger";

export type ShopEvent =
  | { readonly type: "order-placed"; readonly order: OrderNumber; readonly customer: CustomerId }
  | { readonly type: "order-cancelled"; readonly order: OrderNumber; readonly reason: string }
  | { readonly type: "stock-low"; readonly variant: VariantId; readonly left: number }
  | { readonly type: "parcel-delivered"; readonly order: OrderNumber; readonly at: Date };

type Handler<Type extends ShopEvent["type"]> = (event: Extract<ShopEvent, { type: Type }>) => void | Promise<void>;

/**
 * Publish and subscribe inside one process. Handlers run in the order in which they subscribed; one that
 * throws is logged and the others still run, because the sale has already been stored.
 */
export class EventBus {
  private readonly handlers = new Map<string, Handler<any>[]>();

  constructor(private readonly logger: Logger) {}

  subscribe<Type extends ShopEvent["type"]>(type: Type, handler: Handler<Type>): () => void {
    const known = this.handlers.get(type) ?? [];
    this.handlers.set(type, [...known, handler]);
    return () => {
      const left = (this.handlers.get(type) ?? []).filter((other) => other !== handler);
      this.handlers.set(type, left);
    };
  }

  async publish(event: ShopEvent): Promise<void> {
    for (const handler of this.handlers.get(event.type) ?? []) {
      try {
        await handler(event);
      } catch (error) {
        this.logger.error("subscriber failed", { event: event.type, error: String(error) });
      }
    }
  }
}
