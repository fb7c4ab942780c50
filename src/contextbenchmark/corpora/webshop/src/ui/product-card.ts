import type { RatingSummary } from "../domain/catalog/review";
import type { Product } from "../domain/catalog/product";
import { formatMoney } from "./format";
import { html, type SafeHtml } from "./html";
import type { Translator } from "./translations";

export interface CardData {
  readonly product: Product;
  readonly price: number;
  readonly formerPrice?: number;
  readonly currency: string;
  readonly left: number;
  readonly rating: RatingSummary;
}

/** A product in the grid: picture, title, price, stars, and a hint when few are left. */
export function productCard(data: CardData, language: string, translator: Translator): SafeHtml {
  const { product, price, formerPrice, currency, left, rating } = data;
  const reduced = formerPrice !== undefined && formerPrice > price;
  return html`<article class="card">
    <a href="/products/${product.slug}">
      <img src="/images/${product.slug}.avif" alt="" loading="lazy" width="320" height="320">
      <h3>${product.title}</h3>
    </a>
    ${rating.count > 0 && html`<p aria-label="${rating.average} of 5 stars">${stars(rating.average)} (${rating.count})</p>`}
    <p class="price">${formatMoney(price, currency, language)}
      ${reduced && html`<s>${formatMoney(formerPrice, currency, language)}</s>`}</p>
    ${left > 0 && left <= 5 && html`<p class="hint">${translator.text("stock.low", { count: left })}</p>`}
    ${left === 0 && html`<p class="hint">sold out</p>`}
  </article>`;
}

/** Five stars, filled to the nearest half. */
export function stars(average: number): string {
  const halves = Math.round(average * 2);
  return [1, 2, 3, 4, 5].map((star) => (halves >= star * 2 ? "★" : halves === star * 2 - 1 ? "⯨" : "☆")).join("");
}
