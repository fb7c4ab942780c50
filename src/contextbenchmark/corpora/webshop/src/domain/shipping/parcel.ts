export interface Item {
  readonly title: string;
  readonly grams: number;
  readonly fragile: boolean;
}

export interface Parcel {
  readonly items: readonly Item[];
  readonly grams: number;
  readonly padded: boolean;
}

export const PARCEL_LIMIT_GRAMS = 30_000;
const BOX_GRAMS = 350;

/**
 * First-fit decreasing: heaviest item first, each into the first parcel where it fits. Not optimal, but at
 * most about two ninths worse than the best packing, and the same result every time.
 */
export function pack(items: readonly Item[], limit = PARCEL_LIMIT_GRAMS): Parcel[] {
  const sorted = [...items].sort((a, b) => b.grams - a.grams || a.title.localeCompare(b.title, "en"));
  const boxes: { items: Item[]; grams: number }[] = [];
  for (const item of sorted) {
    if (item.grams + BOX_GRAMS > limit) {
      throw new RangeError(`${item.title} is too heavy for a parcel and must go by freight`);
    }
    const box = boxes.find((candidate) => candidate.grams + item.grams <= limit);
    if (box === undefined) {
      boxes.push({ items: [item], grams: BOX_GRAMS + item.grams });
    } else {
      box.items.push(item);
      box.grams += item.grams;
    }
  }
  return boxes.map((box) => ({ ...box, padded: box.items.some((item) => item.fragile) }));
}
