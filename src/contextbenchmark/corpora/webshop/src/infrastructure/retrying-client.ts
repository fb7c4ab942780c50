import { failure, success, type Result } from "../shared/result";

export interface Transport {
  send(method: string, path: string, body: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; body: string }>;
}

const RETRIED = new Set([408, 429, 502, 503, 504]);

/**
 * Sends JSON and tries again when the other side is overloaded or the line breaks. Waiting doubles each
 * time and is spread at random, so that a thousand clients do not all come back in the same second. Only
 * calls with an idempotency key are repeated: others could buy twice.
 */
export class RetryingClient {
  constructor(
    private readonly transport: Transport,
    private readonly sleep: (milliseconds: number) => Promise<void>,
    private readonly random: () => number,
    private readonly attempts = 4,
  ) {}

  async post<Answer>(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Result<Answer, "unreachable" | "refused">> {
    const repeatable = "Idempotency-Key" in headers;
    let last = "no attempt was made";
    for (let attempt = 0; attempt < (repeatable ? this.attempts : 1); attempt += 1) {
      if (attempt > 0) {
        await this.sleep(this.backoff(attempt));
      }
      try {
        const answer = await this.transport.send("POST", path, JSON.stringify(body), headers);
        if (answer.status < 300) {
          return success(JSON.parse(answer.body) as Answer);
        }
        last = `status ${answer.status}`;
        if (!RETRIED.has(answer.status)) {
          return failure("refused", last);
        }
      } catch (error) {
        last = String(error);
      }
    }
    return failure("unreachable", last);
  }

  private backoff(attempt: number): number {
    const ceiling = Math.min(8000, 200 * 2 ** attempt);
    return ceiling / 2 + (this.random() * ceiling) / 2;
  }
}
