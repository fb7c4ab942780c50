import type { VariantId } from "../../shared/ids";
import { failure, success, type Result } from "../../shared/result";

export interface Movement {
  readonly variant: VariantId;
  readonly delta: number;
  readonly reason: "delivery" | "sale" | "return" | "write-off" | "count";
  readonly at: Date;
}

/** Stock is the sum of its movements; the number on hand is never edited directly. */
export class StockLedger {
  private readonly movements: Movement[] = [];
  private readonly onHand = new Map<VariantId, number>();

  available(variant: VariantId): number {
    return this.onHand.get(variant) ?? 0;
  }

  record(movement: Movement): Result<number, "not_enough_stock"> {
    const after = this.available(movement.variant) + movement.delta;
    if (after < 0) {
      return failure("not_enough_stock", `only ${this.available(movement.variant)} of ${movement.variant} left`);
    }
    this.movements.push(movement);
    this.onHand.set(movement.variant, after);
    return success(after);
  }

  /** After a stocktake: write the difference as a movement of its own, so that shrinkage stays visible. */
  reconcile(variant: VariantId, counted: number, at: Date): number {
    const difference = counted - this.available(variant);
    if (difference !== 0) {
      this.movements.push({ variant, delta: difference, reason: "count", at });
      this.onHand.set(variant, counted);
    }
    return difference;
  }

  soldSince(variant: VariantId, since: Date): number {
    return this.movements
      .filter((movement) => movement.variant === variant && movement.reason === "sale" && movement.at >= since)
      .reduce((sum, movement) => sum - movement.delta, 0);
  }
}
