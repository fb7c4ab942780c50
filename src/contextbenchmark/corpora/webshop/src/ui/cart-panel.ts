import type { Quote } from "../domain/pricing/quote";
import type { Cart } from "../domain/cart/cart";
import { formatMoney, formatWeight } from "./format";
import { html, type SafeHtml } from "./html";
import type { Translator } from "./translations";

/** The cart as the customer sees it: lines with steppers, what was saved, how far it is to free shipping. */
export function cartPanel(cart: Cart, quote: Quote, freeFrom: number, language: string, translator: Translator): SafeHtml {
  if (cart.isEmpty) {
    return html`<section><h2>${translator.text("cart.title")}</h2><p>${translator.text("cart.empty")}</p></section>`;
  }
  const currency = quote.total.currency;
  const money = (minor: number): string => formatMoney(minor, currency, language);
  const pieces = cart.lines.reduce((sum, line) => sum + line.quantity, 0);
  const missing = freeFrom - quote.goods.minor;
  const rows = cart.lines.map(
    (line, index) => html`<li>
      ${line.title}${line.engraving !== undefined && html` <em>“${line.engraving}”</em>`}
      <input type="number" name="quantity-${index}" min="0" max="99" value="${line.quantity}">
      <b>${money(quote.lines[index]?.payable.minor ?? 0)}</b>
      ${quote.lines[index]?.promotion !== undefined && html`<small>${quote.lines[index]?.promotion}</small>`}
    </li>`,
  );
  return html`<section>
    <h2>${translator.text("cart.title")} (${translator.count("cart.pieces", pieces)}, ${formatWeight(cart.grams)})</h2>
    <ul>${rows}</ul>
    ${!quote.discount.isZero && html`<p>You save ${money(quote.discount.minor)}</p>`}
    ${missing > 0 && html`<p>${money(missing)} to free shipping</p>`}
    <p>Shipping ${money(quote.shipping.minor)}</p>
    <button>${translator.text("checkout.pay", { amount: money(quote.total.minor) })}</button>
  </section>`;
}
