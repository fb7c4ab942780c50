import type { Clock } from "../shared/clock";
import type { CustomerId } from "../shared/ids";
import { failure, success, type Result } from "../shared/result";
import type { CustomerRepository, Mailer, PasswordHasher } from "./ports";

interface Ticket {
  readonly customer: CustomerId;
  readonly expiresAt: Date;
}

const TICKET_MINUTES = 30;

/** A link by mail that sets a new password: usable once, for half an hour. */
export class ResetPassword {
  private readonly tickets = new Map<string, Ticket>();

  constructor(
    private readonly customers: CustomerRepository,
    private readonly hasher: PasswordHasher,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly newSecret: () => string,
  ) {}

  /** Answers the same whether the address is known or not, so that nobody learns who shops here. */
  async request(email: string): Promise<void> {
    const customer = await this.customers.byEmail(email.trim().toLowerCase());
    if (customer === undefined) {
      return;
    }
    const secret = this.newSecret();
    const expiresAt = new Date(this.clock.now().getTime() + TICKET_MINUTES * 60_000);
    this.tickets.set(secret, { customer: customer.id, expiresAt });
    const body = `Follow /reset/${secret} within ${TICKET_MINUTES} minutes to choose a new password.`;
    await this.mailer.queue({ to: customer.email, subject: "Forgotten password", body });
  }

  async redeem(secret: string, password: string): Promise<Result<void, "link_expired" | "password_too_short">> {
    if (password.length < 8) {
      return failure("password_too_short", "a password needs eight characters");
    }
    const ticket = this.tickets.get(secret);
    this.tickets.delete(secret);
    const customer = ticket && (await this.customers.find(ticket.customer));
    if (ticket === undefined || customer === undefined || ticket.expiresAt <= this.clock.now()) {
      return failure("link_expired", "please ask for a new link");
    }
    const passwordHash = await this.hasher.hash(password);
    await this.customers.save({ ...customer, passwordHash, failedLogins: 0, lockedUntil: undefined });
    return success(undefined);
  }
}
