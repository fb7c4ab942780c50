import type { Order } from "./order";

export interface InvoiceRow {
  readonly text: string;
  readonly quantity: number;
  readonly gross: number;
}

export interface Invoice {
  readonly number: string;
  readonly issuedOn: string;
  readonly rows: readonly InvoiceRow[];
  readonly taxRows: readonly { readonly label: string; readonly amount: number }[];
  readonly total: number;
}

/**
 * Invoice numbers run without gaps inside a year, as bookkeeping law asks; order numbers do not, because
 * abandoned payments use some up. Hence two sequences.
 */
export class InvoiceNumbers {
  private readonly lastOfYear = new Map<number, number>();

  next(issuedAt: Date): string {
    const year = issuedAt.getUTCFullYear();
    const running = (this.lastOfYear.get(year) ?? 0) + 1;
    this.lastOfYear.set(year, running);
    return `${year}-${String(running).padStart(5, "0")}`;
  }
}

export function invoiceFor(order: Order, number: string, issuedAt: Date): Invoice {
  const rows = order.lines.map((line) => ({ text: line.title, quantity: line.quantity, gross: line.payable }));
  const shipping = order.quote.shipping;
  if (!shipping.isZero) {
    rows.push({ text: "Shipping", quantity: 1, gross: shipping.minor });
  }
  return {
    number,
    issuedOn: issuedAt.toISOString().slice(0, 10),
    rows,
    taxRows: order.quote.taxes.map((line) => ({
      label: `contains ${line.basisPoints / 100} % VAT on ${line.net.minor}`,
      amount: line.tax.minor,
    })),
    total: order.quote.total.minor,
  };
}
