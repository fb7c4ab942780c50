import { abandonment } from "../domain/cart/merge-carts";
import { mayContact } from "../domain/customer/consent";
import { addDays, type Clock } from "../shared/clock";
import type { CartId } from "../shared/ids";
import type { CartRepository, CustomerRepository, Mailer } from "./ports";

/** Nightly: one friendly mail per forgotten cart, only to people who agreed to get it. */
export class RemindAbandonedCarts {
  private readonly reminded = new Set<CartId>();

  constructor(
    private readonly carts: CartRepository,
    private readonly customers: CustomerRepository,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<{ sent: number; skipped: number }> {
    const now = this.clock.now();
    let sent = 0;
    let skipped = 0;
    for (const cart of await this.carts.untouchedSince(addDays(now, -1))) {
      const customer = cart.owner === undefined ? undefined : await this.customers.find(cart.owner);
      const allowed = customer !== undefined && mayContact(customer.consents, "cart-reminder", now);
      if (!allowed || this.reminded.has(cart.id) || abandonment(cart, now) !== "abandoned") {
        skipped += 1;
        continue;
      }
      const titles = cart.lines.map((line) => `- ${line.quantity} x ${line.title}`).join("\n");
      await this.mailer.queue({
        to: customer.email,
        subject: "Still thinking about it?",
        body: `Your cart is waiting:\n${titles}\nTo get no more of these, open your account settings.`,
      });
      this.reminded.add(cart.id);
      sent += 1;
    }
    return { sent, skipped };
  }
}
