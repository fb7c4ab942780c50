import { failure, success, type Result } from "../../shared/result";
import type { Money } from "./money";
import { allocate } from "./rounding";

export interface Coupon {
  readonly code: string;
  readonly value: Money;
  readonly minimumCart: Money;
  readonly validFrom: Date;
  readonly validUntil: Date;
  readonly usesLeft: number;
}

export type CouponProblem = "coupon_expired" | "coupon_not_yet_valid" | "coupon_used_up" | "cart_too_small";

/** Codes are typed from paper: spaces, hyphens and case do not count. */
export function normaliseCode(typed: string): string {
  return typed.replace(/[\s-]/g, "").toUpperCase();
}

export function checkCoupon(coupon: Coupon, cartValue: Money, now: Date): Result<Coupon, CouponProblem> {
  if (now < coupon.validFrom) {
    return failure("coupon_not_yet_valid", `${coupon.code} starts on ${coupon.validFrom.toISOString()}`);
  }
  if (now > coupon.validUntil) {
    return failure("coupon_expired", `${coupon.code} ended on ${coupon.validUntil.toISOString()}`);
  }
  if (coupon.usesLeft < 1) {
    return failure("coupon_used_up", `${coupon.code} was used as often as it may be`);
  }
  if (cartValue.isLessThan(coupon.minimumCart)) {
    return failure("cart_too_small", `${coupon.code} needs a cart of ${coupon.minimumCart.minor}`);
  }
  return success(coupon);
}

/** Spread the coupon over the lines in proportion to their value, so that returns pay back the right part. */
export function couponShares(coupon: Coupon, lineValues: readonly Money[]): number[] {
  const total = lineValues.reduce((sum, value) => sum + value.minor, 0);
  return allocate(
    Math.min(coupon.value.minor, total),
    lineValues.map((value) => value.minor),
  );
}
