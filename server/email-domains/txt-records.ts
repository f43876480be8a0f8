import { Resolver } from 'node:dns/promises';
import { serviceUnavailable } from '../errors.js';

/**
 * Returns the texts of the TXT records of a name, empty if there is none.
 *
 * @throws ContractError `service_unavailable` if no name server gives an answer
 */
export type TxtResolver = (name: string) => Promise<string[]>;

const patienceMs = 3000;
const triesMax = 2;

/** Error codes of name servers for a name without TXT records. */
const absentCodes = new Set(['ENODATA', 'ENOTFOUND']);

/** Creates a resolver that uses the name servers of the machine, or the given ones. */
export function createTxtResolver(nameServers?: readonly string[]): TxtResolver {
  return async (name) => {
    const resolver = new Resolver({ timeout: patienceMs, tries: triesMax });
    if (nameServers) resolver.setServers(nameServers);
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      if (absentCodes.has((error as { code?: string }).code ?? '')) return [];
      throw serviceUnavailable('The DNS records of the domain could not be read', 5, error);
    }
  };
}
