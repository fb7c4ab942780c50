import type { Clock } from "../shared/clock";

interface Bucket {
  tokens: number;
  refilledAt: number;
}

/**
 * Rate limiting by token bucket: each caller may make a burst of requests, then as many per second as
 * drip into the bucket. Buckets that are full again are forgotten, so that memory follows the traffic.
 */
export class TokenBucket {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly clock: Clock,
    private readonly burst: number,
    private readonly perSecond: number,
  ) {}

  allow(caller: string, cost = 1): boolean {
    const now = this.clock.now().getTime();
    const bucket = this.buckets.get(caller) ?? { tokens: this.burst, refilledAt: now };
    const dripped = ((now - bucket.refilledAt) / 1000) * this.perSecond;
    bucket.tokens = Math.min(this.burst, bucket.tokens + dripped);
    bucket.refilledAt = now;
    this.buckets.set(caller, bucket);
    if (bucket.tokens < cost) {
      return false;
    }
    bucket.tokens -= cost;
    return true;
  }

  /** Seconds until the caller may try again: the Retry-After header. */
  retryAfter(caller: string, cost = 1): number {
    const tokens = this.buckets.get(caller)?.tokens ?? this.burst;
    return tokens >= cost ? 0 : Math.ceil((cost - tokens) / this.perSecond);
  }

  sweep(): void {
    const now = this.clock.now().getTime();
    for (const [caller, bucket] of this.buckets) {
      if (bucket.tokens + ((now - bucket.refilledAt) / 1000) * this.perSecond >= this.burst) {
        this.buckets.delete(caller);
      }
    }
  }
}
