import type { Mailer } from "../application/ports";
import type { Logger } from "../shared/logger";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

interface Pending extends Mail {
  readonly attempts: number;
}

const MOST_ATTEMPTS = 6;

/** Mails wait here until the relay takes them: a relay that is down must not make a checkout fail. */
export class MailOutbox implements Mailer {
  private pending: Pending[] = [];
  readonly undeliverable: Mail[] = [];

  constructor(
    private readonly send: (mail: Mail) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  async queue(mail: Mail): Promise<void> {
    if (/[\r\n]/.test(mail.to + mail.subject)) {
      throw new Error("a line break in a mail header: somebody tries to add recipients");
    }
    this.pending.push({ ...mail, attempts: 0 });
  }

  /** Called by the job queue once a minute. Keeps what could not be sent, in order. */
  async flush(): Promise<number> {
    const batch = this.pending;
    this.pending = [];
    let sent = 0;
    for (const mail of batch) {
      try {
        await this.send(mail);
        sent += 1;
      } catch (error) {
        this.logger.error("mail not sent", { subject: mail.subject, attempt: mail.attempts + 1, error: String(error) });
        if (mail.attempts + 1 >= MOST_ATTEMPTS) {
          this.undeliverable.push(mail);
        } else {
          this.pending.push({ ...mail, attempts: mail.attempts + 1 });
        }
      }
    }
    return sent;
  }
}
