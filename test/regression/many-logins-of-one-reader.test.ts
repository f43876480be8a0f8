import { expect, it } from 'vitest';
import { createAdmission, RefusedLoginError } from '../../ingest-broker/admission.js';
import type { Connection } from '../../ingest-broker/connection.js';
import type { Core } from '../../server/index.js';
import { createLog } from '../../server/log.js';

it('a reader with very many logins at once takes no more than a hundred turns', async () => {
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
  const logIn = (username: string) =>
    admit({ username, remoteAddress: '' } as Connection, Buffer.from('secret')).then(
      () => 'accepted',
      (error: unknown) => (error instanceof RefusedLoginError ? error.returnCode : error),
    );
  const crowd = Array.from({ length: 1500 }, () => logIn('busy'));
  expect(await logIn('other')).toBe('accepted');
  expect(checked.filter((username) => username === 'busy').length).toBeLessThanOrEqual(102);
  const outcomes = await Promise.all(crowd);
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(100);
  expect(outcomes.filter((outcome) => outcome === 3)).toHaveLength(1400);
  expect(await logIn('busy')).toBe('accepted');
});
