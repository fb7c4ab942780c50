import { failure, success, type Result } from "./result";

export interface Settings {
  readonly port: number;
  readonly currency: string;
  readonly reservationMinutes: number;
  readonly sessionHours: number;
  readonly freeShippingFrom: number;
  readonly sender: string;
}

const DEFAULTS: Settings = {
  port: 8080,
  currency: "EUR",
  reservationMinutes: 15,
  sessionHours: 12,
  freeShippingFrom: 5000,
  sender: "shop@example.org",
};

/**
 * Read settings from environment variables named SHOP_PORT, SHOP_CURRENCY and so on. A number that is not
 * one is reported by name instead of becoming NaN somewhere deep inside a calculation.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Result<Settings, "bad_setting"> {
  const numbers: Record<string, number> = {};
  for (const [key, fallback] of Object.entries(DEFAULTS)) {
    if (typeof fallback !== "number") {
      continue;
    }
    const name = variableName(key);
    const raw = environment[name];
    const value = raw === undefined ? fallback : Number(raw);
    if (!Number.isFinite(value) || value < 0) {
      return failure("bad_setting", `${name} must be a number of zero or more, not ${raw}`);
    }
    numbers[key] = value;
  }
  const currency = environment.SHOP_CURRENCY ?? DEFAULTS.currency;
  if (!/^[A-Z]{3}$/.test(currency)) {
    return failure("bad_setting", `SHOP_CURRENCY must be three capital letters, not ${currency}`);
  }
  return success({ ...DEFAULTS, ...numbers, currency, sender: environment.SHOP_SENDER ?? DEFAULTS.sender });
}

function variableName(key: string): string {
  return "SHOP_" + key.replace(/[A-Z]/g, (letter) => "_" + letter).toUpperCase();
}
