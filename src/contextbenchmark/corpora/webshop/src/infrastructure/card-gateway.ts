import type { PaymentGateway } from "../application/ports";
import type { Money } from "../domain/pricing/money";
import { failure, success, type Result } from "../shared/result";
import { RetryingClient } from "./retrying-client";

interface ChargeAnswer {
  readonly id: string;
  readonly status: "approved" | "declined";
  readonly reason?: string;
}

/** Speaks to the card processor. Card numbers never pass through here, only tokens made by the browser. */
export class CardGateway implements PaymentGateway {
  constructor(
    private readonly client: RetryingClient,
    private readonly merchant: string,
  ) {}

  async charge(
    amount: Money,
    cardToken: string,
    key: string,
  ): Promise<Result<string, "payment_declined" | "payment_unavailable">> {
    const answer = await this.client.post<ChargeAnswer>(
      "/charges",
      { merchant: this.merchant, amount: amount.minor, currency: amount.currency, source: cardToken },
      { "Idempotency-Key": key },
    );
    if (!answer.ok) {
      return failure("payment_unavailable", answer.detail);
    }
    if (answer.value.status === "declined") {
      return failure("payment_declined", answer.value.reason ?? "the bank gave no reason");
    }
    return success(answer.value.id);
  }

  async refund(paymentId: string, amount: Money): Promise<Result<string, "payment_unavailable">> {
    const answer = await this.client.post<{ id: string }>(
      `/charges/${encodeURIComponent(paymentId)}/refunds`,
      { amount: amount.minor, currency: amount.currency },
      { "Idempotency-Key": `refund-${paymentId}-${amount.minor}` },
    );
    return answer.ok ? success(answer.value.id) : failure("payment_unavailable", answer.detail);
  }
}
