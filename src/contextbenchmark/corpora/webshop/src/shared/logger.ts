export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Logger {
  info(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** Names of fields whose content must never reach a log file. */
const SECRET = /password|token|card|secret|iban/i;

export function redact(fields: Fields): Fields {
  const clean: Record<string, string | number | boolean | undefined> = {};
  for (const [name, value] of Object.entries(fields)) {
    clean[name] = SECRET.test(name) ? "[redacted]" : value;
  }
  return clean;
}

/** Writes one JSON object per line to whatever sink it is given. */
export class LineLogger implements Logger {
  constructor(
    private readonly write: (line: string) => void,
    private readonly context: Fields = {},
  ) {}

  info(message: string, fields: Fields = {}): void {
    this.emit("info", message, fields);
  }

  error(message: string, fields: Fields = {}): void {
    this.emit("error", message, fields);
  }

  /** A logger that adds fields, such as the request id, to every line. */
  with(context: Fields): LineLogger {
    return new LineLogger(this.write, { ...this.context, ...context });
  }

  private emit(level: string, message: string, fields: Fields): void {
    this.write(JSON.stringify({ level, message, ...redact({ ...this.context, ...fields }) }));
  }
}
