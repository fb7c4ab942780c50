/** Currencies without the usual two decimals. */
const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, KWD: 3 };

/** 1234.5 EUR is "1.234,50 €" in German and "€1,234.50" in English; minor units come in. */
export function formatMoney(minor: number, currency: string, language: string): string {
  const decimals = DECIMALS[currency] ?? 2;
  return new Intl.NumberFormat(language, { style: "currency", currency, minimumFractionDigits: decimals }).format(
    minor / 10 ** decimals,
  );
}

export function formatDate(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(date);
}

/** "3 minutes ago", "in 2 days": the largest unit that gives at least one. */
export function formatRelative(date: Date, now: Date, language: string): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
    ["year", 31_536_000],
    ["month", 2_592_000],
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) {
      return relative.format(Math.round(seconds / length), unit);
    }
  }
  return relative.format(0, "second");
}

export function formatWeight(grams: number): string {
  return grams < 1000 ? `${grams} g` : `${(grams / 1000).toFixed(grams % 1000 === 0 ? 0 : 1)} kg`;
}
