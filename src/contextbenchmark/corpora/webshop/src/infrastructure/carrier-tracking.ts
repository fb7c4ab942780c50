import type { OrderRepository } from "../application/ports";
import type { EventBus } from "../shared/event-bus";
import type { OrderNumber } from "../shared/ids";
import type { Logger } from "../shared/logger";

export interface Scan {
  readonly trackingCode: string;
  readonly reference: OrderNumber;
  readonly code: string;
  readonly at: string;
}

/** The carrier's scan codes that mean something to us; the dozens of others are steps inside its network. */
const MEANING: Readonly<Record<string, "shipped" | "delivered" | "problem">> = {
  PU: "shipped",
  DL: "delivered",
  DN: "delivered",
  RF: "problem",
  LO: "problem",
};

/** Takes the carrier's scan file, which repeats old scans and is not in order, and moves orders on. */
export class CarrierTracking {
  constructor(
    private readonly orders: OrderRepository,
    private readonly events: EventBus,
    private readonly logger: Logger,
  ) {}

  async apply(scans: readonly Scan[]): Promise<number> {
    let moved = 0;
    const inOrder = [...scans].sort((a, b) => a.at.localeCompare(b.at));
    for (const scan of inOrder) {
      const meaning = MEANING[scan.code];
      const order = meaning === undefined ? undefined : await this.orders.find(scan.reference);
      if (meaning === undefined || order === undefined) {
        continue;
      }
      if (meaning === "problem") {
        this.logger.error("parcel refused or lost", { orderNumber: scan.reference, code: scan.code });
        continue;
      }
      const at = new Date(scan.at);
      const advanced = order.advance(meaning, at, `carrier ${scan.trackingCode}`);
      if (!advanced.ok) {
        continue;
      }
      await this.orders.save(advanced.value);
      moved += 1;
      if (meaning === "delivered") {
        await this.events.publish({ type: "parcel-delivered", order: order.number, at });
      }
    }
    return moved;
  }
}
