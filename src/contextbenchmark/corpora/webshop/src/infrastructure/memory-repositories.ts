import type { CartRepository, CustomerRepository, OrderRepository, ProductRepository } from "../application/ports";
import type { Cart } from "../domain/cart/cart";
import type { Product } from "../domain/catalog/product";
import type { Customer } from "../domain/customer/customer";
import type { Order } from "../domain/order/order";
import type { CartId, CustomerId, OrderNumber, VariantId } from "../shared/ids";

/** Repositories that forget everything when the process ends: for tests and the demonstration shop. */
export class MemoryCarts implements CartRepository {
  private readonly carts = new Map<CartId, Cart>();

  async find(id: CartId): Promise<Cart | undefined> {
    return this.carts.get(id);
  }

  async save(cart: Cart): Promise<void> {
    this.carts.set(cart.id, cart);
  }

  async untouchedSince(moment: Date): Promise<Cart[]> {
    return [...this.carts.values()].filter((cart) => cart.touchedAt <= moment);
  }
}

export class MemoryProducts implements ProductRepository {
  private readonly owners = new Map<VariantId, Product>();

  constructor(private readonly products: readonly Product[]) {
    for (const product of products) {
      for (const variant of product.variants) {
        this.owners.set(variant.id, product);
      }
    }
  }

  async bySlug(slug: string): Promise<Product | undefined> {
    return this.products.find((product) => product.slug === slug);
  }

  async byVariant(variant: VariantId): Promise<Product | undefined> {
    return this.owners.get(variant);
  }

  async all(): Promise<Product[]> {
    return [...this.products];
  }
}

export class MemoryOrders implements OrderRepository {
  private readonly orders = new Map<OrderNumber, Order>();

  async find(number: OrderNumber): Promise<Order | undefined> {
    return this.orders.get(number);
  }

  async save(order: Order): Promise<void> {
    this.orders.set(order.number, order);
  }

  async ofCustomer(customer: CustomerId): Promise<Order[]> {
    return [...this.orders.values()].filter((order) => order.customer === customer);
  }

  async between(from: Date, until: Date): Promise<Order[]> {
    return [...this.orders.values()].filter((order) => order.placedAt >= from && order.placedAt < until);
  }
}

export class MemoryCustomers implements CustomerRepository {
  private readonly customers = new Map<CustomerId, Customer>();

  async find(id: CustomerId): Promise<Customer | undefined> {
    return this.customers.get(id);
  }

  async byEmail(email: string): Promise<Customer | undefined> {
    return [...this.customers.values()].find((customer) => customer.email === email);
  }

  async save(customer: Customer): Promise<void> {
    this.customers.set(customer.id, customer);
  }
}
