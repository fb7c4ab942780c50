import type { CustomerId } from "../../shared/ids";

export interface Review {
  readonly product: string;
  readonly author: CustomerId;
  readonly stars: 1 | 2 | 3 | 4 | 5;
  readonly text: string;
  readonly verifiedPurchase: boolean;
  readonly writtenAt: Date;
}

export interface RatingSummary {
  readonly count: number;
  readonly average: number;
  readonly histogram: readonly number[];
}

/**
 * Average star rating, pulled towards 3.5 by ten imaginary votes: one enthusiastic review must not put a
 * new product above one that hundreds of people like.
 */
export function summarise(reviews: readonly Review[]): RatingSummary {
  const histogram = [0, 0, 0, 0, 0];
  for (const review of reviews) {
    histogram[review.stars - 1]! += 1;
  }
  const sum = histogram.reduce((total, count, index) => total + count * (index + 1), 0);
  const average = (sum + 10 * 3.5) / (reviews.length + 10);
  return { count: reviews.length, average: Math.round(average * 100) / 100, histogram };
}

const SUSPICIOUS = [/https?:\/\//i, /\b\d{8,}\b/, /(.)\1{6,}/];

/** Links, telephone numbers and keyboard mashing go to a person before they are published. */
export function needsModeration(review: Review): boolean {
  return review.text.trim().length < 10 || SUSPICIOUS.some((pattern) => pattern.test(review.text));
}

export function mostHelpfulFirst(reviews: readonly Review[]): Review[] {
  return [...reviews].sort(
    (a, b) =>
      Number(b.verifiedPurchase) - Number(a.verifiedPurchase) ||
      Math.min(b.text.length, 600) - Math.min(a.text.length, 600) ||
      b.writtenAt.getTime() - a.writtenAt.getTime(),
  );
}
