import type { CartId, VariantId } from "../../shared/ids";

export interface Reservation {
  readonly cart: CartId;
  readonly variant: VariantId;
  readonly quantity: number;
  readonly expiresAt: Date;
}

/**
 * Goods held while somebody pays. A reservation lowers what others can buy without being a sale; it runs
 * out by itself, so that a closed browser tab does not keep the last pan from the next customer.
 */
export class ReservationBook {
  private reservations: Reservation[] = [];

  hold(reservation: Reservation, onHand: number, now: Date): boolean {
    const free = onHand - this.heldByOthers(reservation.variant, reservation.cart, now);
    if (reservation.quantity > free) {
      return false;
    }
    this.reservations = this.reservations.filter(
      (other) => other.cart !== reservation.cart || other.variant !== reservation.variant,
    );
    this.reservations.push(reservation);
    return true;
  }

  release(cart: CartId): void {
    this.reservations = this.reservations.filter((reservation) => reservation.cart !== cart);
  }

  /** Drop what has run out; returns how many holds were freed. */
  releaseExpired(now: Date): number {
    const before = this.reservations.length;
    this.reservations = this.reservations.filter((reservation) => reservation.expiresAt > now);
    return before - this.reservations.length;
  }

  private heldByOthers(variant: VariantId, cart: CartId, now: Date): number {
    return this.reservations
      .filter((held) => held.variant === variant && held.cart !== cart && held.expiresAt > now)
      .reduce((sum, held) => sum + held.quantity, 0);
  }
}
