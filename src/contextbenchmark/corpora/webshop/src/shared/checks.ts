/** Small validators that collect every complaint instead of stopping at the first. */
export interface Complaint {
  readonly field: string;
  readonly message: string;
}

export class Form {
  readonly complaints: Complaint[] = [];

  constructor(private readonly input: Readonly<Record<string, unknown>>) {}

  text(field: string, options: { min?: number; max?: number } = {}): string {
    const value = this.input[field];
    if (typeof value !== "string") {
      return this.complain(field, "is missing", "");
    }
    const trimmed = value.trim();
    if (trimmed.length < (options.min ?? 1)) {
      return this.complain(field, `needs at least ${options.min ?? 1} characters`, "");
    }
    if (trimmed.length > (options.max ?? 200)) {
      return this.complain(field, `may have ${options.max ?? 200} characters`, "");
    }
    return trimmed;
  }

  integer(field: string, lowest: number, highest: number): number {
    const value = Number(this.input[field]);
    if (!Number.isInteger(value) || value < lowest || value > highest) {
      return this.complain(field, `must be a whole number from ${lowest} to ${highest}`, lowest);
    }
    return value;
  }

  /** Loose on purpose: one @, something on both sides, a dot in the domain. The real test is a mail. */
  email(field: string): string {
    const value = this.text(field, { max: 254 }).toLowerCase();
    if (value !== "" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
      return this.complain(field, "does not look like an email address", "");
    }
    return value;
  }

  get valid(): boolean {
    return this.complaints.length === 0;
  }

  private complain<Value>(field: string, message: string, fallback: Value): Value {
    this.complaints.push({ field, message });
    return fallback;
  }
}
