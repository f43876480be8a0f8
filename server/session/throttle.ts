import { isIPv6 } from 'node:net';
import type { Database } from '../database/client.js';
import { currentInstant } from '../database/columns.js';
import { rateLimited } from '../errors.js';

const windowSeconds = 15 * 60;

/**
 * Limits per 15 minutes. A person locked out is locked out where the wrong passwords came from; the wider limits hold
 * against one address that tries many people and many addresses that try one person.
 */
const failuresMax = { pair: 10, email: 100, address: 100 };
/** Behind one address may stand a whole school; what a sign-up costs is bounded elsewhere. */
const signUpsMax = 1000;

/** A counter in `sign_in_throttles`, shared by all processes. */
type Counter = { key: string; limit: number };

export type Attempt = { email: string; clientAddress: string };

function countersOf({ email, clientAddress }: Attempt) {
  const network = networkOf(clientAddress);
  return {
    pair: { key: `pair:${network} ${email}`, limit: failuresMax.pair },
    email: { key: `email:${email}`, limit: failuresMax.email },
    address: { key: `address:${network}`, limit: failuresMax.address },
  };
}

/**
 * Counts a sign-in as failed before its password is looked at, so that attempts made at once cannot outrun the limit.
 *
 * @throws ContractError `rate_limited` once a limit is reached; a refused attempt counts nowhere
 */
export async function takeSignIn(db: Database, attempt: Attempt): Promise<void> {
  await take(db, Object.values(countersOf(attempt)));
}

/** Takes a sign-in that succeeded back: the person's counters start anew, the address has one failure less. */
export async function clearSignIn(db: Database, attempt: Attempt): Promise<void> {
  const { pair, email, address } = countersOf(attempt);
  await db.$executeRaw`
    DELETE FROM sign_in_throttles
     WHERE key IN (SELECT key
                     FROM sign_in_throttles
                    WHERE key IN (${email.key}, ${pair.key})
                    ORDER BY key
                      FOR UPDATE)`;
  await db.$executeRaw`
    UPDATE sign_in_throttles
       SET failures = greatest(failures - 1, 0)
     WHERE key = ${address.key}`;
}

/** Counts a sign-up, whatever comes of it. Throws as `takeSignIn` does. */
export async function takeSignUp(db: Database, clientAddress: string): Promise<void> {
  await take(db, [{ key: `sign-up:${networkOf(clientAddress)}`, limit: signUpsMax }]);
}

async function take(db: Database, counters: readonly Counter[]): Promise<void> {
  const keys = counters.map((counter) => counter.key);
  // What is thrown inside rolls the counting back. The order of the rows keeps two attempts from waiting for each other.
  await db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ key: string; failures: number; seconds_left: number }[]>`
      INSERT INTO sign_in_throttles AS known (key, failures, window_started_at)
      SELECT key, 1, ${currentInstant}
        FROM unnest(${keys}::text[]) AS wanted (key)
       ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO UPDATE
         SET failures = CASE WHEN known.window_started_at > ${currentInstant} - make_interval(secs => ${windowSeconds}::int)
                             THEN known.failures + 1 ELSE 1 END,
             window_started_at = CASE WHEN known.window_started_at > ${currentInstant} - make_interval(secs => ${windowSeconds}::int)
                                      THEN known.window_started_at ELSE ${currentInstant} END
      RETURNING key, failures,
                extract(epoch FROM window_started_at + make_interval(secs => ${windowSeconds}::int) - clock_timestamp())::float8
                  AS seconds_left`;
    const limits = new Map(counters.map(({ key, limit }) => [key, limit]));
    const over = rows.filter((row) => row.failures > (limits.get(row.key) ?? 0));
    if (over.length > 0) throw rateLimited(Math.max(...over.map((row) => row.seconds_left)));
  });
}

/** Who holds one IPv6 address usually holds the 2^64 around it; they count as one. */
function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(bare)) return bare;
  const [head = '', tail = ''] = bare.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
