import type { AddToCart } from "../application/add-to-cart";
import type { CartRepository } from "../application/ports";
import type { Clock } from "../shared/clock";
import type { CartId, VariantId } from "../shared/ids";
import { Form } from "../shared/checks";
import { json } from "./http";
import { problem } from "./problem-responses";
import type { Router } from "./router";

/** The cart of a visitor, signed in or not: its id travels in the path and is as good as a secret. */
export function mountCart(router: Router, addToCart: AddToCart, carts: CartRepository, clock: Clock): void {
  router.on("GET", "/carts/:cart", async ({ context }) => {
    const cart = await carts.find(context.params.cart as CartId);
    return cart === undefined ? json(404, { code: "unknown_cart" }) : json(200, { lines: cart.lines });
  });

  router.on("POST", "/carts/:cart/lines", async ({ body, context }) => {
    const form = new Form(JSON.parse(body) as Record<string, unknown>);
    const variant = form.text("variant", { max: 40 }) as VariantId;
    const quantity = form.integer("quantity", 1, 99);
    if (!form.valid) {
      return json(422, { code: "invalid", complaints: form.complaints });
    }
    const result = await addToCart.execute({ cart: context.params.cart as CartId, variant, quantity });
    return result.ok ? json(201, { lines: result.value.lines }) : problem(result);
  });

  router.on("PATCH", "/carts/:cart/lines/:index", async ({ body, context }) => {
    const cart = await carts.find(context.params.cart as CartId);
    if (cart === undefined) {
      return json(404, { code: "unknown_cart" });
    }
    const form = new Form(JSON.parse(body) as Record<string, unknown>);
    const quantity = form.integer("quantity", 0, 99);
    const changed = cart.setQuantity(Number(context.params.index), quantity, clock.now());
    await carts.save(changed);
    return json(200, { lines: changed.lines });
  });
}
