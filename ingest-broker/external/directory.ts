import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, type Core, type Log, type ReaderLogin } from '../../server/index.js';
import { createReaderWatch } from '../reader-changes.js';

const knownMax = 200_000;
const askedAtOnceMax = 500;
const retryPauses = { minMs: 20, maxMs: 2000 };

/** The error of lookups that still wait when the service stops. */
class DirectoryStoppedError extends Error {
  constructor() {
    super('the service is stopping');
    this.name = 'DirectoryStoppedError';
  }
}

type Answer = ReaderLogin | undefined;
type Question = { answer: Promise<Answer>; resolve: (answer: Answer) => void; reject: (error: Error) => void };

/**
 * Looks up readers by user name. Readers that were found are cached and kept up to date. Unknown user names are queried
 * each time, many in one query, so a new reader works from its first message on.
 */
export function createDirectory({ core, log }: { core: Core; log: Log }) {
  const known = new Map<string, ReaderLogin>();
  const stopping = new AbortController();
  /** The user names for the next query. */
  let questions = new Map<string, Question>();
  let asking: Promise<void> | undefined;
  const watch = createReaderWatch({
    core,
    log,
    onChange({ username, login }) {
      if (login && known.has(username)) known.set(username, login);
      else known.delete(username);
    },
  });

  /**
   * Returns the live reader with a user name, or undefined if there is none. Waits as long as the database is
   * unavailable.
   *
   * @throws DirectoryStoppedError
   */
  async function find(username: string): Promise<Answer> {
    const login = known.get(username);
    if (login) return login;
    if (stopping.signal.aborted) throw new DirectoryStoppedError();
    const question = questions.get(username) ?? newQuestion();
    questions.set(username, question);
    asking ??= ask();
    return question.answer;
  }

  async function ask(): Promise<void> {
    while (questions.size > 0) {
      const asked = [...questions].slice(0, askedAtOnceMax);
      questions = new Map([...questions].slice(askedAtOnceMax));
      const logins = await answers(asked.map(([username]) => username));
      for (const [username, { resolve, reject }] of asked) {
        const login = logins?.get(username);
        if (login) remember(login);
        if (logins) resolve(login);
        else reject(new DirectoryStoppedError());
      }
    }
    asking = undefined;
  }

  /** Queries the database, with retries; undefined if the service stops first. */
  async function answers(usernames: string[]): Promise<Map<string, ReaderLogin> | undefined> {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        const logins = await core.readers.find(usernames);
        return new Map(logins.map((login) => [login.username, login]));
      } catch (error) {
        log.warn({ err: error, attempt }, 'readers could not be looked up yet');
        await delay(backoffMs(attempt, retryPauses), undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
    return undefined;
  }

  function remember(login: ReaderLogin): void {
    known.set(login.username, login);
    const [oldest] = known.keys();
    if (known.size > knownMax && oldest !== undefined) known.delete(oldest);
  }

  return {
    find,
    forget: (username: string) => known.delete(username),
    start: () => watch.start(),
    /** Rejects everything that waits. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([watch.stop(), asking]);
    },
  };
}

export type Directory = ReturnType<typeof createDirectory>;

function newQuestion(): Question {
  const question = {} as Question;
  question.answer = new Promise<Answer>((resolve, reject) => Object.assign(question, { resolve, reject }));
  return question;
}
