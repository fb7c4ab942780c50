import type { Customer } from "../domain/customer/customer";
import { Form, type Complaint } from "../shared/checks";
import type { CustomerId } from "../shared/ids";
import type { CustomerRepository, Mailer, PasswordHasher } from "./ports";

export type Registration =
  | { readonly kind: "registered"; readonly customer: Customer }
  | { readonly kind: "rejected"; readonly complaints: readonly Complaint[] };

/** The most common passwords; long ones are not looked up, they are long. */
const TOO_COMMON = new Set(["password", "passwort", "12345678", "qwertyuiop", "iloveyou", "webshop123"]);

export class RegisterCustomer {
  constructor(
    private readonly customers: CustomerRepository,
    private readonly hasher: PasswordHasher,
    private readonly mailer: Mailer,
    private readonly newId: () => CustomerId,
  ) {}

  async execute(input: Readonly<Record<string, unknown>>): Promise<Registration> {
    const form = new Form(input);
    const name = form.text("name", { max: 80 });
    const email = form.email("email");
    const password = form.text("password", { min: 8, max: 128 });
    if (TOO_COMMON.has(password.toLowerCase())) {
      form.complaints.push({ field: "password", message: "is one of the first that anybody tries" });
    }
    if (form.valid && (await this.customers.byEmail(email)) !== undefined) {
      form.complaints.push({ field: "email", message: "has an account already" });
    }
    if (!form.valid) {
      return { kind: "rejected", complaints: form.complaints };
    }
    const customer: Customer = {
      id: this.newId(),
      email,
      name,
      passwordHash: await this.hasher.hash(password),
      addresses: [],
      consents: [],
      failedLogins: 0,
    };
    await this.customers.save(customer);
    await this.mailer.queue({ to: email, subject: "Welcome", body: `Hello ${name}, your account is ready.` });
    return { kind: "registered", customer };
  }
}
