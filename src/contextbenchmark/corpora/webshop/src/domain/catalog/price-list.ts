import type { VariantId } from "../../shared/ids";
import { Money } from "../pricing/money";

interface PriceEntry {
  readonly variant: VariantId;
  readonly price: Money;
  readonly from: Date;
  readonly breaks: readonly QuantityBreak[];
}

/** From this many pieces on, each costs this much. */
export interface QuantityBreak {
  readonly pieces: number;
  readonly price: Money;
}

/** Prices over time: a new entry does not erase the old one, so that past orders can be explained. */
export class PriceList {
  private readonly entries = new Map<VariantId, PriceEntry[]>();

  set(variant: VariantId, price: Money, from: Date, breaks: readonly QuantityBreak[] = []): void {
    const history = this.entries.get(variant) ?? [];
    const sorted = [...breaks].sort((a, b) => a.pieces - b.pieces);
    history.push({ variant, price, from, breaks: sorted });
    history.sort((a, b) => a.from.getTime() - b.from.getTime());
    this.entries.set(variant, history);
  }

  unitPrice(variant: VariantId, quantity: number, at: Date): Money | undefined {
    const entry = this.entryAt(variant, at);
    if (entry === undefined) {
      return undefined;
    }
    const reached = entry.breaks.filter((step) => quantity >= step.pieces);
    return reached.at(-1)?.price ?? entry.price;
  }

  /** The lowest price of the thirty days before a reduction, which the law wants shown beside it. */
  lowestRecentPrice(variant: VariantId, at: Date): Money | undefined {
    const start = at.getTime() - 30 * 86_400_000;
    const current = this.entryAt(variant, at);
    const earlier = (this.entries.get(variant) ?? []).filter((entry, position, all) => {
      const end = all[position + 1]?.from.getTime() ?? Infinity;
      return entry !== current && entry.from < at && end > start;
    });
    return earlier.map((entry) => entry.price).sort((a, b) => a.minor - b.minor)[0];
  }

  private entryAt(variant: VariantId, at: Date): PriceEntry | undefined {
    return (this.entries.get(variant) ?? []).filter((entry) => entry.from <= at).at(-1);
  }
}
