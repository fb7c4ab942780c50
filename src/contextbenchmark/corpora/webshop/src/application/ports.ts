import type { Cart } from "../domain/cart/cart";
import type { Product } from "../domain/catalog/product";
import type { Customer } from "../domain/customer/customer";
import type { Order } from "../domain/order/order";
import type { Coupon } from "../domain/pricing/coupon";
import type { Money } from "../domain/pricing/money";
import type { CartId, CustomerId, OrderNumber, VariantId } from "../shared/ids";
import type { Result } from "../shared/result";

/** What the use cases need from outside. Each interface has a real and an in-memory implementation. */
export interface CartRepository {
  find(id: CartId): Promise<Cart | undefined>;
  save(cart: Cart): Promise<void>;
  untouchedSince(moment: Date): Promise<Cart[]>;
}

export interface ProductRepository {
  bySlug(slug: string): Promise<Product | undefined>;
  byVariant(variant: VariantId): Promise<Product | undefined>;
  all(): Promise<Product[]>;
}

export interface OrderRepository {
  find(number: OrderNumber): Promise<Order | undefined>;
  save(order: Order): Promise<void>;
  ofCustomer(customer: CustomerId): Promise<Order[]>;
  between(from: Date, until: Date): Promise<Order[]>;
}

export interface CustomerRepository {
  find(id: CustomerId): Promise<Customer | undefined>;
  byEmail(email: string): Promise<Customer | undefined>;
  save(customer: Customer): Promise<void>;
}

export interface CouponRepository {
  byCode(code: string): Promise<Coupon | undefined>;
  use(code: string): Promise<void>;
}

export interface PaymentGateway {
  /** The key makes a repeated call harmless: the same key is charged once. */
  charge(amount: Money, cardToken: string, key: string): Promise<Result<string, "payment_declined" | "payment_unavailable">>;
  refund(paymentId: string, amount: Money): Promise<Result<string, "payment_unavailable">>;
}

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  matches(password: string, hash: string): Promise<boolean>;
}

export interface Mailer {
  queue(mail: { readonly to: string; readonly subject: string; readonly body: string }): Promise<void>;
}
