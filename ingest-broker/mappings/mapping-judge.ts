import {
  createMappingProcess,
  createTurns,
  type Log,
  mappingMegabytesMax,
  mappingMsFor,
  ProcessStoppedError,
} from '../../server/index.js';
import type { FormatInput, Understanding } from '../formats/format.js';

/** How long a mapping is not evaluated after a message that took too much time or memory. */
const pauseMs = 60_000;

const pauseText = 'the mapping is paused for a minute, or until it is changed';

/** The reader that a message came from. */
type Sender = { readonly orgId: number; readonly readerId: number };

type Waiting = {
  sender: Sender;
  input: FormatInput;
  resolve: (understood: Understanding) => void;
  reject: (error: Error) => void;
};

export type MappingJudge = {
  /**
   * Returns what a message is by the mapping of its reader. The messages of an organization are evaluated in order, and
   * organizations take turns.
   *
   * @throws ProcessStoppedError: the message must not be acknowledged
   */
  judge(sender: Sender, input: FormatInput): Promise<Understanding>;
  /** Rejects the messages that wait, and ends the process. */
  stop(): Promise<void>;
};

/** Judges the messages of readers with mappings, which administrators write, in another process with limits. */
export function createMappingJudge({ log, elapsedMs = () => performance.now() }: JudgeOptions): MappingJudge {
  const mappings = createMappingProcess<Understanding>(log);
  const turns = createTurns<Waiting>(elapsedMs);
  /** Mappings that took too much, by reader; oldest first. */
  const paused = new Map<number, { mapping: string; untilMs: number }>();
  let isStopped = false;
  let working: Promise<void> | undefined;

  function isPaused({ readerId }: Sender, { mapping }: FormatInput): boolean {
    const pause = paused.get(readerId);
    if (pause && elapsedMs() < pause.untilMs && pause.mapping === JSON.stringify(mapping)) return true;
    paused.delete(readerId);
    return false;
  }

  function pause({ orgId, readerId }: Sender, { mapping }: FormatInput): void {
    const nowMs = elapsedMs();
    for (const [id, { untilMs }] of paused) if (untilMs <= nowMs) paused.delete(id);
    paused.set(readerId, { mapping: JSON.stringify(mapping), untilMs: nowMs + pauseMs });
    log.warn({ orgId, readerId }, 'the mapping of a reader is paused, because a message took too much time or memory');
  }

  async function evaluate({ sender, input }: Waiting): Promise<Understanding> {
    if (isPaused(sender, input)) return { kind: 'rejected', reason: `${pauseText}: a message took too much` };
    const { topic, payload, onReadsTopic, mapping } = input;
    const outcome = await mappings.run({ judge: { topic, payload, onReadsTopic, mapping } });
    if (typeof outcome === 'string') {
      pause(sender, input);
      const limit = outcome === 'time' ? `${mappingMsFor(payload)} ms` : `${mappingMegabytesMax} MB of memory`;
      return { kind: 'rejected', reason: `the mapping takes more than ${limit} on it: ${pauseText}` };
    }
    if ('result' in outcome) return outcome.result;
    log.error({ reason: outcome.error, format: 'mapped' }, 'a format failed on a message');
    return { kind: 'rejected', reason: 'the format mapped failed on it' };
  }

  /** Judges what waits, one message after the other. */
  async function work(): Promise<void> {
    for (;;) {
      const turn = turns.next();
      if (!turn) break;
      const { resolve, reject } = turn.work;
      await evaluate(turn.work).then(resolve, reject);
      turn.end();
    }
    working = undefined;
  }

  function judge(sender: Sender, input: FormatInput): Promise<Understanding> {
    if (isStopped) return Promise.reject(new ProcessStoppedError());
    const judged = new Promise<Understanding>((resolve, reject) => {
      turns.add(sender.orgId, { sender, input, resolve, reject });
    });
    working ??= work();
    return judged;
  }

  return {
    judge,
    async stop() {
      isStopped = true;
      for (const { reject } of turns.drain()) reject(new ProcessStoppedError());
      await mappings.stop();
      await working;
    },
  };
}

export type JudgeOptions = {
  log: Log;
  /** The clock of pauses and turns, for tests. */
  elapsedMs?: () => number;
};
