import type { CustomerId } from "../../shared/ids";
import type { Address } from "./address";
import type { Consent } from "./consent";

export interface Customer {
  readonly id: CustomerId;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly addresses: readonly Address[];
  readonly consents: readonly Consent[];
  readonly failedLogins: number;
  readonly lockedUntil?: Date;
}

const LOCK_AFTER = 5;
const LOCK_MINUTES = 20;

/** Five wrong passwords in a row close the account for twenty minutes; a right one starts the count anew. */
export function afterLogin(customer: Customer, correct: boolean, now: Date): Customer {
  if (correct) {
    return { ...customer, failedLogins: 0, lockedUntil: undefined };
  }
  const failedLogins = customer.failedLogins + 1;
  const lockedUntil =
    failedLogins >= LOCK_AFTER ? new Date(now.getTime() + LOCK_MINUTES * 60_000) : customer.lockedUntil;
  return { ...customer, failedLogins, lockedUntil };
}

export function isLocked(customer: Customer, now: Date): boolean {
  return customer.lockedUntil !== undefined && customer.lockedUntil > now;
}

/** Right to be forgotten: the orders stay for the tax office, the person goes. */
export function anonymise(customer: Customer): Customer {
  return {
    ...customer,
    email: `deleted-${customer.id}@invalid`,
    name: "deleted",
    passwordHash: "",
    addresses: [],
    consents: [],
  };
}
