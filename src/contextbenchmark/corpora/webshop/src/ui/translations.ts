type Messages = Readonly<Record<string, string>>;

const ENGLISH: Messages = {
  "cart.title": "Your cart",
  "cart.empty": "There is nothing in it yet.",
  "cart.pieces.one": "{count} piece",
  "cart.pieces.other": "{count} pieces",
  "checkout.pay": "Pay {amount}",
  "stock.low": "Only {count} left",
};

const GERMAN: Messages = {
  "cart.title": "Ihr Warenkorb",
  "cart.empty": "Er ist noch leer.",
  "cart.pieces.one": "{count} Stück",
  "cart.pieces.other": "{count} Stück",
  "checkout.pay": "{amount} zahlen",
};

const LANGUAGES: Readonly<Record<string, Messages>> = { en: ENGLISH, de: GERMAN };

/** Text in the visitor's language; what has no translation yet is shown in English, never as a bare key. */
export class Translator {
  private readonly plural: Intl.PluralRules;
  private readonly messages: Messages;

  constructor(language: string) {
    this.messages = LANGUAGES[language] ?? ENGLISH;
    this.plural = new Intl.PluralRules(language);
  }

  text(key: string, values: Readonly<Record<string, string | number>> = {}): string {
    const template = this.messages[key] ?? ENGLISH[key] ?? key;
    return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  }

  count(key: string, count: number): string {
    return this.text(`${key}.${this.plural.select(count) === "one" ? "one" : "other"}`, { count });
  }
}

/** The best language that we have for an Accept-Language header such as "de-CH, en;q=0.8". */
export function negotiate(header: string): string {
  const wanted = header
    .split(",")
    .map((part) => {
      const [tag = "", quality = "q=1"] = part.trim().split(";");
      return { language: tag.slice(0, 2).toLowerCase(), quality: Number(quality.trim().slice(2)) };
    })
    .sort((a, b) => b.quality - a.quality);
  return wanted.find((entry) => entry.language in LANGUAGES)?.language ?? "en";
}
