import { randomInt } from 'node:crypto';
import type { Context } from '../../context.js';
import { networksOf } from '../../kernel/client-networks.js';
import type { Database, Queries } from '../../kernel/database/client.js';
import { currentInstant } from '../../kernel/database/columns.js';
import { ContractError, rateLimited } from '../../kernel/errors.js';
import { devicePerson, presentedDevice } from './device.js';

const windowSeconds = 15 * 60;

/**
 * Limits of failed sign-ins per 15 minutes. `pair` counts one user from one network, and `device` one user on a device
 * that they signed in with before. Failures of a network or of a user above `crowded` reduce the attempts of each other
 * pair instead of blocking them, so that an attack does not lock out its target or its neighbors.
 */
const failuresMax = { pair: 10, pairWhenCrowded: 3, device: 10, email: 1000 };
const emailFailuresCrowded = 100;
/** Limits for the networks of an address: an IPv4 address or a /64, then a /56 and a /48. */
const networkFailures = [
  { crowded: 100, max: 1000 },
  { crowded: 200, max: 2000 },
  { crowded: 400, max: 4000 },
] as const;
/** A whole school may share one address; the cost of a sign-up is limited elsewhere. */
const signUpsMax = 1000;

/** One in this many attempts deletes expired counters. */
const attemptsPerCleanup = 100;
const countersMax = 100_000;

/** A counter in `sign_in_throttles`, shared by all processes. */
type Counter = {
  key: string;
  max: number;
  /** If the counter is above this, only the first few attempts of each pair are accepted. */
  crowded?: number;
  isPair?: boolean;
};

export type Attempt = {
  email: string;
  clientAddress: string;
  /** Set if the user has signed in with the device before. */
  knownDeviceId?: string | undefined;
};

/** Returns the attempt of a request to sign in with an email address. */
export async function attemptOf(ctx: Context, email: string): Promise<Attempt> {
  const { db, identity } = ctx.services;
  const device = presentedDevice(ctx);
  const isKnown = device !== undefined && identity.devices.knows(device, await devicePerson(db, email));
  return { email, clientAddress: ctx.clientAddress, knownDeviceId: isKnown ? device.id : undefined };
}

function countersOf({ email, clientAddress, knownDeviceId }: Attempt): readonly Counter[] {
  if (knownDeviceId !== undefined) return [{ key: `device:${knownDeviceId} ${email}`, max: failuresMax.device }];
  const networks = networksOf(clientAddress);
  return [
    { key: `pair:${networks[0]} ${email}`, max: failuresMax.pair, isPair: true },
    { key: `email:${email}`, max: failuresMax.email, crowded: emailFailuresCrowded },
    ...networkCountersOf(clientAddress),
  ];
}

function networkCountersOf(clientAddress: string): readonly Counter[] {
  return networksOf(clientAddress).map((network, index) => ({
    key: `address:${network}`,
    ...(networkFailures[index] ?? networkFailures[2]),
  }));
}

/**
 * Counts a single sign-on as failed for the networks of the client, as `takeSignIn` counts a sign-in whose person is
 * not known yet. Throws like `takeSignIn`.
 */
export async function takeSignOn(db: Database, clientAddress: string): Promise<void> {
  await take(db, networkCountersOf(clientAddress));
}

/** Removes a successful single sign-on from the counts. */
export async function clearSignOn(db: Database, clientAddress: string): Promise<void> {
  await lower(db, networkCountersOf(clientAddress));
}

/**
 * Counts a sign-in as failed before its password is checked, so that concurrent attempts cannot exceed the limit. A
 * device that the user signed in with before has its own counter, which failures of other devices do not increase.
 *
 * @throws ContractError `rate_limited` once a limit is reached; a rejected attempt is not counted
 */
export async function takeSignIn(db: Database, attempt: Attempt): Promise<void> {
  if (randomInt(attemptsPerCleanup) === 0) await boundSignInThrottles(db);
  await take(db, countersOf(attempt));
}

/** Removes a successful sign-in from the counts: resets the user's counters, and subtracts one failure of the networks. */
export async function clearSignIn(db: Database, attempt: Attempt): Promise<void> {
  const counters = countersOf(attempt);
  const ofPerson = counters.filter(({ key }) => !key.startsWith('address:')).map(({ key }) => key);
  await db.$executeRaw`
    DELETE FROM sign_in_throttles
     WHERE key IN (SELECT key
                     FROM sign_in_throttles
                    WHERE key = ANY(${ofPerson}::text[])
                    ORDER BY key COLLATE "C"
                      FOR UPDATE)`;
  await lower(
    db,
    counters.filter(({ key }) => key.startsWith('address:')),
  );
}

/** Removes an attempt from the counts if its error is that the service was too busy to check the password. */
export async function giveBackSignIn(db: Database, attempt: Attempt, error: unknown): Promise<void> {
  if (error instanceof ContractError && error.type === 'rate_limited') await lower(db, countersOf(attempt));
}

async function lower(db: Database, counters: readonly Counter[]): Promise<void> {
  if (counters.length === 0) return;
  await db.$executeRaw`
    UPDATE sign_in_throttles t
       SET failures = greatest(t.failures - 1, 0)
      FROM (SELECT key
              FROM sign_in_throttles
             WHERE key = ANY(${counters.map(({ key }) => key)}::text[])
             ORDER BY key COLLATE "C"
               FOR UPDATE) locked
     WHERE t.key = locked.key`;
}

/** Counts a sign-up with any outcome. Throws like `takeSignIn`. */
export async function takeSignUp(db: Database, clientAddress: string): Promise<void> {
  await take(
    db,
    networksOf(clientAddress).map((network, index) => ({ key: `sign-up:${network}`, max: signUpsMax * 2 ** index })),
  );
}

/** Mails with password links: to one address, and requested from one network. */
export const resetsMax = { email: 3, network: 100 };

/** Counts a request for such a mail, whether or not a user has the address. Throws like `takeSignIn`. */
export async function takePasswordReset(
  db: Database,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<void> {
  const networks = networksOf(clientAddress);
  await take(db, [
    { key: `reset:${email}`, max: resetsMax.email },
    ...networks.map((network, index) => ({ key: `reset-from:${network}`, max: resetsMax.network * 2 ** index })),
  ]);
}

/** Mails about changes of one account. After this many the owner has been warned. */
const noticesMax = 10;

/** Counts a mail about a change of an account, in its transaction. Returns whether it may be sent. */
export async function takeNotice(tx: Queries, userId: number): Promise<boolean> {
  const [row] = await count(tx, [`notice:${userId}`]);
  return row !== undefined && row.failures <= noticesMax;
}

type CounterRow = { key: string; failures: number; seconds_left: number };

async function take(db: Database, counters: readonly Counter[]): Promise<void> {
  const keys = counters.map((counter) => counter.key);
  // If an error is thrown inside, the counts are rolled back. The order of the rows prevents a deadlock of two
  // attempts.
  await db.$transaction(async (tx) => {
    const rows = await count(tx, keys);
    const over = exhausted(counters, new Map(rows.map((row) => [row.key, row])));
    if (over.length > 0) throw rateLimited(Math.max(...over.map((row) => row.seconds_left)));
  });
}

async function count(tx: Queries, keys: readonly string[]): Promise<CounterRow[]> {
  return tx.$queryRaw<CounterRow[]>`
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
}

function exhausted(counters: readonly Counter[], rows: ReadonlyMap<string, CounterRow>): CounterRow[] {
  const failuresOf = (counter: Counter) => rows.get(counter.key)?.failures ?? 0;
  const isCrowded = counters.some((counter) => failuresOf(counter) > (counter.crowded ?? Number.POSITIVE_INFINITY));
  const limitOf = ({ isPair, max }: Counter) => (isPair && isCrowded ? failuresMax.pairWhenCrowded : max);
  return counters.filter((counter) => failuresOf(counter) > limitOf(counter)).flatMap(({ key }) => rows.get(key) ?? []);
}

/** Deletes expired counters and, above the maximum, the counters with the fewest failures. */
export async function boundSignInThrottles(db: Database, rowsMax = countersMax): Promise<void> {
  await db.$executeRaw`
    DELETE FROM sign_in_throttles
     WHERE key IN (SELECT key
                     FROM sign_in_throttles
                    WHERE window_started_at < clock_timestamp() - make_interval(secs => ${windowSeconds}::int)
                      FOR UPDATE SKIP LOCKED)`;
  await db.$executeRaw`
    DELETE FROM sign_in_throttles
     WHERE key IN (SELECT key
                     FROM sign_in_throttles
                    ORDER BY failures, window_started_at
                    LIMIT greatest(0, (SELECT count(*) FROM sign_in_throttles) - ${rowsMax}::int)
                      FOR UPDATE SKIP LOCKED)`;
}
