export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

const LARGEST_PAGE = 100;

/**
 * Pages by cursor, not by number: the cursor names the last item seen, so a product added while somebody
 * leafs through the list neither repeats nor skips an entry.
 */
export function paginate<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
  limit: number,
): Page<Item> {
  const size = Math.min(LARGEST_PAGE, Math.max(1, limit));
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const start = after === undefined ? 0 : items.findIndex((item) => keyOf(item) === after) + 1;
  const page = items.slice(start, start + size);
  const last = page.at(-1);
  const more = start + size < items.length;
  return more && last !== undefined ? { items: page, nextCursor: encodeCursor(keyOf(last)) } : { items: page };
}

export function encodeCursor(key: string): string {
  return btoa(encodeURIComponent(key)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export function decodeCursor(cursor: string): string {
  return decodeURIComponent(atob(cursor.replace(/-/g, "+").replace(/_/g, "/")));
}

/** The Link header of RFC 8288, for clients that follow headers. */
export function linkHeader(path: string, page: Page<unknown>, limit: number): string | undefined {
  return page.nextCursor === undefined
    ? undefined
    : `<${path}?limit=${limit}&cursor=${page.nextCursor}>; rel="next"`;
}
