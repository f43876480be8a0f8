import { Resolver } from 'node:dns/promises';
import { withDeadline } from '../../kernel/deadline.js';
import { rateLimited, refusal } from '../../kernel/errors.js';
import { createSemaphore, QueueFullError } from '../../kernel/semaphore.js';

/**
 * Returns the texts of the TXT records of a name, empty if there are none.
 *
 * @throws ContractError `service_unavailable` if no name server gives an answer, `rate_limited` if too many names are looked up
 */
export type TxtResolver = (name: string) => Promise<string[]>;

const timeoutMs = 3000;
const triesMax = 2;
/** The time limit of a lookup with all its attempts. The resolver makes each attempt longer than the previous one. */
const lookUpMs = 10_000;
const runningMax = 16;
const waitingMax = 64;

/** Error codes of name servers for a name without TXT records. */
const absentCodes = new Set(['ENODATA', 'ENOTFOUND']);

/** Creates a resolver that uses the name servers of the machine, or the given ones. */
export function createTxtResolver(nameServers?: readonly string[]): TxtResolver {
  const semaphore = createSemaphore({ runningMax, waitingMax });

  async function lookUp(name: string): Promise<string[]> {
    const resolver = new Resolver({ timeout: timeoutMs, tries: triesMax });
    if (nameServers) resolver.setServers(nameServers);
    const records = await withDeadline({ what: 'the name servers', ms: lookUpMs }, (signal) => {
      signal.addEventListener('abort', () => resolver.cancel());
      return resolver.resolveTxt(name);
    });
    return records.map((parts) => parts.join(''));
  }

  return async (name) => {
    try {
      return await semaphore(() => lookUp(name));
    } catch (error) {
      if (error instanceof QueueFullError) throw rateLimited(1);
      if (absentCodes.has((error as { code?: string }).code ?? '')) return [];
      throw refusal('domain_unreadable', { seconds: 5 }, { cause: error });
    }
  };
}
