import type { VariantId } from "../../shared/ids";

export interface SupplyTerms {
  readonly variant: VariantId;
  readonly supplier: string;
  readonly leadDays: number;
  readonly caseSize: number;
}

export interface ReorderProposal {
  readonly variant: VariantId;
  readonly supplier: string;
  readonly cases: number;
  readonly daysOfCover: number;
}

/** Exponential smoothing of daily sales: yesterday counts most, last month hardly. */
export function smoothedDemand(dailySales: readonly number[], alpha = 0.2): number {
  return dailySales.reduce((level, sold, day) => (day === 0 ? sold : alpha * sold + (1 - alpha) * level), 0);
}

/** Order when the goods would run out before a delivery could arrive; whole cases, two lead times' worth. */
export function proposeReorder(
  terms: SupplyTerms,
  onHand: number,
  dailySales: readonly number[],
): ReorderProposal | undefined {
  const demand = smoothedDemand(dailySales);
  if (demand <= 0) {
    return undefined;
  }
  const daysOfCover = onHand / demand;
  if (daysOfCover > terms.leadDays) {
    return undefined;
  }
  const pieces = demand * terms.leadDays * 2 - onHand;
  return {
    variant: terms.variant,
    supplier: terms.supplier,
    cases: Math.max(1, Math.ceil(pieces / terms.caseSize)),
    daysOfCover: Math.round(daysOfCover * 10) / 10,
  };
}
