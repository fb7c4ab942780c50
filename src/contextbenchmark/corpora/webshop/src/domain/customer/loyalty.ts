import { addDays } from "../../shared/clock";

export interface PointsEntry {
  readonly points: number;
  readonly earnedAt: Date;
}

export type Tier = "bronze" | "silver" | "gold";

const TIER_FROM: readonly (readonly [Tier, number])[] = [
  ["gold", 1500],
  ["silver", 500],
  ["bronze", 0],
];

const POINTS_PER_EURO: Readonly<Record<Tier, number>> = { bronze: 1, silver: 1.25, gold: 1.5 };
const LIFETIME_DAYS = 730;

/** Points for a purchase: whole euros only, more of them in a higher tier, rounded down. */
export function pointsFor(paidMinor: number, tier: Tier): number {
  return Math.floor(Math.floor(paidMinor / 100) * POINTS_PER_EURO[tier]);
}

export function balance(entries: readonly PointsEntry[], now: Date): number {
  return entries
    .filter((entry) => addDays(entry.earnedAt, LIFETIME_DAYS) > now)
    .reduce((sum, entry) => sum + entry.points, 0);
}

/** The tier depends on what was earned in the last year, spent or not. */
export function tierOf(entries: readonly PointsEntry[], now: Date): Tier {
  const yearAgo = addDays(now, -365);
  const earned = entries
    .filter((entry) => entry.points > 0 && entry.earnedAt >= yearAgo)
    .reduce((sum, entry) => sum + entry.points, 0);
  return TIER_FROM.find(([, from]) => earned >= from)?.[0] ?? "bronze";
}

/** Redeem the points that run out soonest first. Undefined when there are too few. */
export function redeem(entries: readonly PointsEntry[], points: number, now: Date): PointsEntry[] | undefined {
  return balance(entries, now) < points ? undefined : [...entries, { points: -points, earnedAt: now }];
}
