import type { Queries } from '../../kernel/database/client.js';
import type { Log } from '../../kernel/log.js';
import type { Mailer } from './mailer.js';

/** Whether mail, webhooks and the external broker are paused, as after a restore. */
export type OutboundPause = {
  /** Resolves once the state is known. Call this before anything is sent. */
  start(): Promise<void>;
  isPaused(): boolean;
  /** Calls `work` at once, or when an operator has ended the pause. */
  whenReleased(work: () => void): void;
  stop(): void;
};

/** How often a paused process checks whether the pause has ended. */
const lookEveryMs = 2000;

/** Returns whether everything outbound is paused now. */
export async function readOutboundPause(db: Queries): Promise<boolean> {
  const [row] = await db.$queryRaw<{ paused: boolean }[]>`SELECT EXISTS (SELECT FROM outbound_pause) AS paused`;
  return row?.paused ?? false;
}

/** Creates the state of this process. A pause that begins later takes effect with the next start. */
export function createOutboundPause({ db, log }: { db: Queries; log: Log }): OutboundPause {
  let isPaused = false;
  let timer: NodeJS.Timeout | undefined;
  const waiting: (() => void)[] = [];

  async function look(): Promise<void> {
    try {
      isPaused = await readOutboundPause(db);
    } catch (error) {
      log.warn({ err: error }, 'whether everything outbound is still paused cannot be read');
    }
    if (isPaused) {
      timer?.refresh();
      return;
    }
    log.info('mail, webhooks and the external broker are released');
    for (const work of waiting.splice(0)) work();
  }

  return {
    async start() {
      isPaused = await readOutboundPause(db);
      if (!isPaused) return;
      log.warn('this database was restored: mail, webhooks and the external broker are paused until release-outbound');
      timer = setTimeout(() => void look(), lookEveryMs).unref();
    },
    isPaused: () => isPaused,
    whenReleased(work) {
      if (isPaused) waiting.push(work);
      else work();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      waiting.length = 0;
    },
  };
}

/** Returns a mailer that rejects mails during the pause. */
export function pausableMailer(mailer: Mailer, { isPaused }: Pick<OutboundPause, 'isPaused'>): Mailer {
  return {
    async send(mail) {
      if (isPaused()) throw new Error('email is paused: the database was restored');
      await mailer.send(mail);
    },
    close: () => mailer.close(),
  };
}
