import type { Product } from "../domain/catalog/product";

const STOP_WORDS = new Set(["a", "an", "and", "for", "in", "of", "the", "to", "with"]);

/** Weight of a word by where it stands. */
const FIELD_WEIGHT = { title: 5, brand: 3, tags: 2, description: 1 } as const;

export function tokenise(text: string): string[] {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map(stem);
}

/** Rough English plural stripping: pans and pan should meet, glass should stay glass. */
export function stem(word: string): string {
  if (word.endsWith("ies") && word.length > 4) {
    return word.slice(0, -3) + "y";
  }
  return word.endsWith("s") && !word.endsWith("ss") && word.length > 3 ? word.slice(0, -1) : word;
}

/** An inverted index over product texts. The last word of a query also matches as a prefix. */
export class TextIndex {
  private readonly postings = new Map<string, Map<string, number>>();

  add(product: Product): void {
    this.addField(product.slug, product.title, FIELD_WEIGHT.title);
    this.addField(product.slug, product.brand, FIELD_WEIGHT.brand);
    this.addField(product.slug, product.tags.join(" "), FIELD_WEIGHT.tags);
    this.addField(product.slug, product.description, FIELD_WEIGHT.description);
  }

  search(query: string): string[] {
    const words = tokenise(query);
    const scores = new Map<string, number>();
    words.forEach((word, position) => {
      const isLast = position === words.length - 1;
      for (const [term, documents] of this.postings) {
        if (term !== word && !(isLast && term.startsWith(word))) {
          continue;
        }
        for (const [slug, weight] of documents) {
          scores.set(slug, (scores.get(slug) ?? 0) + weight / Math.log2(2 + documents.size));
        }
      }
    });
    return [...scores.entries()].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([slug]) => slug);
  }

  private addField(slug: string, text: string, weight: number): void {
    for (const word of tokenise(text)) {
      const documents = this.postings.get(word) ?? new Map<string, number>();
      documents.set(slug, (documents.get(slug) ?? 0) + weight);
      this.postings.set(word, documents);
    }
  }
}
