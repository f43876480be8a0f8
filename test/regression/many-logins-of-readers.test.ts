import { expect, it } from 'vitest';
import { createAdmission, RefusedLoginError } from '../../ingest-broker/admission.js';
import type { Connection } from '../../ingest-broker/connection.js';
import type { Core } from '../../server/index.js';
import { createLog } from '../../server/kernel/log.js';

/** An admission whose database takes a turn of the event loop for a login. */
function createCheck() {
  const checked: string[] = [];
  const core = {
    readers: {
      async authenticate(username: string) {
        checked.push(username);
        await new Promise((resolve) => setImmediate(resolve));
        return { username };
      },
    },
  } as unknown as Core;
  const { admit } = createAdmission({ core, log: createLog('silent') });
  const logIn = (username: string, remoteAddress = '192.0.2.1') =>
    admit({ username, remoteAddress } as Connection, Buffer.from('secret')).then(
      () => 'accepted',
      (error: unknown) => (error instanceof RefusedLoginError ? error.returnCode : error),
    );
  return { checked, logIn };
}

it('a reader with very many logins at once does not keep others of its network waiting', async () => {
  const { checked, logIn } = createCheck();
  const crowd = Array.from({ length: 1500 }, () => logIn('busy'));
  expect(await logIn('other')).toBe('accepted');
  expect(checked.length).toBeLessThanOrEqual(10);
  const outcomes = await Promise.all(crowd);
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(103);
  expect(outcomes.filter((outcome) => outcome === 3)).toHaveLength(1397);
  expect(await logIn('busy')).toBe('accepted');
});

it('very many logins with invented user names do not keep readers of other networks waiting', async () => {
  const { checked, logIn } = createCheck();
  const floods = ['192.0.2.1', '2001:db8:0:1::1', '2001:db8:0:2::1'].map((address) =>
    Array.from({ length: 3000 }, (_, n) => logIn(`invented ${n}`, address)),
  );
  // The queue is full, so the network with the most logins gives up one.
  expect(await logIn('reader', '198.51.100.1')).toBe('accepted');
  expect(checked.length).toBeLessThanOrEqual(20);
  // Networks within a /48 take their turns together.
  expect(await logIn('reader', '198.51.100.1')).toBe('accepted');
  expect(checked.length).toBeLessThanOrEqual(40);
  const outcomes = await Promise.all(floods.flat());
  expect(outcomes.filter((outcome) => outcome === 'accepted').length).toBeLessThanOrEqual(2003);
});

it('logins of others under the user name of a reader do not use up its turns', async () => {
  const { logIn } = createCheck();
  const others = Array.from({ length: 500 }, () => logIn('reader', '192.0.2.1'));
  expect(await logIn('reader', '198.51.100.1')).toBe('accepted');
  await Promise.all(others);
});
