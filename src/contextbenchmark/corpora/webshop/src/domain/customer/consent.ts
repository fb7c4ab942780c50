export type Purpose = "newsletter" | "cart-reminder" | "review-request";

/** Consent is a log, not a flag: who agreed to which wording, when, and when it was taken back. */
export interface Consent {
  readonly purpose: Purpose;
  readonly wording: string;
  readonly givenAt: Date;
  readonly confirmedAt?: Date;
  readonly withdrawnAt?: Date;
}

/** Double opt-in: only a consent that was confirmed by mail and not withdrawn counts. */
export function mayContact(consents: readonly Consent[], purpose: Purpose, now: Date): boolean {
  return consents.some(
    (consent) =>
      consent.purpose === purpose &&
      consent.confirmedAt !== undefined &&
      consent.confirmedAt <= now &&
      (consent.withdrawnAt === undefined || consent.withdrawnAt > now),
  );
}

export function confirm(consents: readonly Consent[], purpose: Purpose, at: Date): Consent[] {
  return consents.map((consent) =>
    consent.purpose === purpose && consent.confirmedAt === undefined ? { ...consent, confirmedAt: at } : consent,
  );
}

export function withdraw(consents: readonly Consent[], purpose: Purpose, at: Date): Consent[] {
  return consents.map((consent) =>
    consent.purpose === purpose && consent.withdrawnAt === undefined ? { ...consent, withdrawnAt: at } : consent,
  );
}
