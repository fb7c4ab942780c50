/** The file operations that the store needs; in production they are the platform's own. */
export interface LogFile {
  readLines(): Promise<string[]>;
  appendLine(line: string): Promise<void>;
  replaceAll(lines: readonly string[]): Promise<void>;
}

type Entry = { readonly key: string; readonly value: unknown | null };

/**
 * A key-value store that only ever appends: each change is one JSON line, the last line for a key counts.
 * A crash can tear the last line and nothing else, so a line that does not parse at the end is dropped.
 */
export class AppendLogStore<Value> {
  private readonly values = new Map<string, Value>();
  private superseded = 0;

  private constructor(private readonly file: LogFile) {}

  static async open<Value>(file: LogFile): Promise<AppendLogStore<Value>> {
    const store = new AppendLogStore<Value>(file);
    const lines = await file.readLines();
    lines.forEach((line, position) => {
      try {
        store.apply(JSON.parse(line) as Entry);
      } catch (error) {
        if (position !== lines.length - 1) {
          throw new Error(`line ${position + 1} of the log is damaged: ${String(error)}`);
        }
      }
    });
    return store;
  }

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  async put(key: string, value: Value): Promise<void> {
    await this.file.appendLine(JSON.stringify({ key, value }));
    this.apply({ key, value });
    if (this.superseded > 1000 && this.superseded > this.values.size) {
      await this.compact();
    }
  }

  async remove(key: string): Promise<void> {
    await this.file.appendLine(JSON.stringify({ key, value: null }));
    this.apply({ key, value: null });
  }

  /** Write the log anew with only the lines that still count. */
  async compact(): Promise<void> {
    const lines = [...this.values.entries()].map(([key, value]) => JSON.stringify({ key, value }));
    await this.file.replaceAll(lines);
    this.superseded = 0;
  }

  private apply(entry: Entry): void {
    if (this.values.has(entry.key)) {
      this.superseded += 1;
    }
    if (entry.value === null) {
      this.values.delete(entry.key);
    } else {
      this.values.set(entry.key, entry.value as Value);
    }
  }
}
