/** Keeps the most recently used entries; a Map remembers insertion order, so the first key is the oldest. */
export class LruCache<Key, Value> {
  private readonly entries = new Map<Key, Value>();
  hits = 0;
  misses = 0;

  constructor(private readonly capacity: number) {
    if (capacity < 1) {
      throw new RangeError("a cache needs room for one entry");
    }
  }

  get(key: Key): Value | undefined {
    const value = this.entries.get(key);
    if (value === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.capacity) {
      const oldest = this.entries.keys().next();
      if (!oldest.done) {
        this.entries.delete(oldest.value);
      }
    }
  }

  /** Forget everything whose key satisfies the test, for instance all pages of a changed product. */
  evict(test: (key: Key) => boolean): number {
    const doomed = [...this.entries.keys()].filter(test);
    doomed.forEach((key) => this.entries.delete(key));
    return doomed.length;
  }
}
