import { type Log, ReaderGoneError } from '../../server/index.js';
import { ForbiddenTopicError, type Receiver } from '../receive.js';
import type { Directory } from './directory.js';
import { senderOf, topicOf } from './sender.js';

const dropLoggedEveryMs = 60_000;

type IntakeOptions = { receiver: Receiver; log: Log; directory: Directory };

export type ExternalMessage = { topic: string; payload: Uint8Array };

/** Passes messages to their readers, and counts those without one. */
export function createIntake({ receiver, log, directory }: IntakeOptions) {
  let strayMessages = 0;
  let loggedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Resolves when the message may be acknowledged: it is stored, or it has no reader.
   *
   * @throws if it is neither, as the service is stopping
   */
  async function take({ topic, payload }: ExternalMessage): Promise<void> {
    const username = senderOf(topic);
    const login = await directory.find(username);
    if (!login) return drop(username);
    const published = topicOf(login, topic);
    if (published === undefined) return;
    try {
      await receiver.receive(login, { topic: published, payload, isWill: false });
    } catch (error) {
      if (error instanceof ReaderGoneError) {
        directory.forget(username);
        drop(username);
      } else if (!(error instanceof ForbiddenTopicError)) throw error;
    }
  }

  function drop(username: string): void {
    strayMessages += 1;
    const wasLogged = Date.now() - loggedAtMs < dropLoggedEveryMs;
    if (!wasLogged) loggedAtMs = Date.now();
    log[wasLogged ? 'debug' : 'warn']({ username, strayMessages }, 'a message without a reader was dropped');
  }

  return { take, strayMessages: () => strayMessages };
}
