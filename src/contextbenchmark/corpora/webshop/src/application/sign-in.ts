import { afterLogin, isLocked } from "../domain/customer/customer";
import type { Clock } from "../shared/clock";
import type { CustomerId } from "../shared/ids";
import { failure, success, type Result } from "../shared/result";
import type { CustomerRepository, PasswordHasher } from "./ports";

export interface Session {
  readonly token: string;
  readonly customer: CustomerId;
  readonly expiresAt: Date;
}

/** Hash of no real password; comparing with it makes an unknown address take as long as a known one. */
const DECOY = "scrypt$16384$00$00";

export class SignIn {
  private readonly sessions = new Map<string, Session>();

  constructor(
    private readonly customers: CustomerRepository,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
    private readonly newToken: () => string,
    private readonly sessionHours: number,
  ) {}

  async execute(email: string, password: string): Promise<Result<Session, "wrong_credentials" | "account_locked">> {
    const now = this.clock.now();
    const customer = await this.customers.byEmail(email.trim().toLowerCase());
    if (customer !== undefined && isLocked(customer, now)) {
      return failure("account_locked", "too many attempts; try again later");
    }
    const correct = await this.hasher.matches(password, customer?.passwordHash ?? DECOY);
    if (customer !== undefined) {
      await this.customers.save(afterLogin(customer, correct, now));
    }
    if (customer === undefined || !correct) {
      return failure("wrong_credentials", "address or password are wrong");
    }
    const expiresAt = new Date(now.getTime() + this.sessionHours * 3_600_000);
    const session = { token: this.newToken(), customer: customer.id, expiresAt };
    this.sessions.set(session.token, session);
    return success(session);
  }

  sessionOf(token: string): Session | undefined {
    const session = this.sessions.get(token);
    if (session !== undefined && session.expiresAt <= this.clock.now()) {
      this.sessions.delete(token);
      return undefined;
    }
    return session;
  }

  signOut(token: string): void {
    this.sessions.delete(token);
  }
}
