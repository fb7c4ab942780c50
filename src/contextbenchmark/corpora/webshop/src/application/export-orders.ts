import type { Order } from "../domain/order/order";
import type { OrderRepository } from "./ports";

const COLUMNS: readonly (readonly [string, (order: Order) => string])[] = [
  ["number", (order) => order.number],
  ["placed", (order) => order.placedAt.toISOString()],
  ["state", (order) => order.state],
  ["pieces", (order) => String(order.pieces)],
  ["country", (order) => order.shipTo.country],
  ["goods", (order) => decimal(order.quote.goods.minor)],
  ["shipping", (order) => decimal(order.quote.shipping.minor)],
  ["total", (order) => decimal(order.quote.total.minor)],
];

/** Orders of a period as CSV for the bookkeeper's spreadsheet. */
export class ExportOrders {
  constructor(private readonly orders: OrderRepository) {}

  async csv(from: Date, until: Date): Promise<string> {
    const orders = await this.orders.between(from, until);
    const rows = orders
      .sort((a, b) => a.placedAt.getTime() - b.placedAt.getTime())
      .map((order) => COLUMNS.map(([, read]) => escapeCell(read(order))).join(","));
    return [COLUMNS.map(([name]) => name).join(","), ...rows].join("\r\n") + "\r\n";
  }
}

/**
 * Quotes around what holds a comma, a quote or a line break. A cell that begins like a formula gets an
 * apostrophe in front, because spreadsheets would run it.
 */
export function escapeCell(text: string): string {
  const safe = /^[=+@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

function decimal(minor: number): string {
  return (minor / 100).toFixed(2);
}
