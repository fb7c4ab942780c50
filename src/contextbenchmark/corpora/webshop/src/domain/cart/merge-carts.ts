import { Cart } from "./cart";
import { sameArticle, withQuantity, type CartLine } from "./cart-line";

/**
 * A visitor fills a cart, then signs in and already has one from last week. The guest's lines win where
 * both have the article (that is the intention of today); the rest of the old cart is kept below them.
 * Quantities are not added: people who see six pans where they put three stop trusting the shop.
 */
export function mergeCarts(guest: Cart, stored: Cart, now: Date): Cart {
  const merged: CartLine[] = guest.lines.map((line) => withQuantity(line, line.quantity));
  for (const line of stored.lines) {
    if (!merged.some((other) => sameArticle(other, line))) {
      merged.push(line);
    }
  }
  return new Cart(stored.id, merged, now, stored.owner, guest.couponCode ?? stored.couponCode);
}

/** A cart counts as abandoned after a day without a change, and is forgotten after sixty. */
export function abandonment(cart: Cart, now: Date): "active" | "abandoned" | "forgotten" {
  const hours = (now.getTime() - cart.touchedAt.getTime()) / 3_600_000;
  if (cart.isEmpty || hours < 24) {
    return "active";
  }
  return hours < 24 * 60 ? "abandoned" : "forgotten";
}
