import type { Clock } from "../shared/clock";
import type { Logger } from "../shared/logger";

interface Job {
  readonly name: string;
  readonly everyMinutes: number;
  readonly run: () => Promise<unknown>;
  nextAt: number;
  running: boolean;
}

/** Runs recurring work: reservations to release, mails to flush, carts to remind of. */
export class JobScheduler {
  private readonly jobs: Job[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  every(minutes: number, name: string, run: () => Promise<unknown>): void {
    const nextAt = this.clock.now().getTime() + minutes * 60_000;
    this.jobs.push({ name, everyMinutes: minutes, run, nextAt, running: false });
  }

  /**
   * Called by a timer. A job that is still running is not started again, and missed turns are not made up
   * for: after an outage of an hour the mails are flushed once, not sixty times.
   */
  async tick(): Promise<string[]> {
    const now = this.clock.now().getTime();
    const due = this.jobs.filter((job) => job.nextAt <= now && !job.running);
    await Promise.all(
      due.map(async (job) => {
        job.running = true;
        job.nextAt = now + job.everyMinutes * 60_000;
        try {
          await job.run();
        } catch (error) {
          this.logger.error("job failed", { job: job.name, error: String(error) });
        } finally {
          job.running = false;
        }
      }),
    );
    return due.map((job) => job.name);
  }
}
