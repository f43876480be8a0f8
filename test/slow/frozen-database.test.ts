import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../../server/kernel/database/embedded/postmaster.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { databaseProcess } from '../support/database-process.js';
import { pollOptions } from '../support/poll-options.js';
import { createProcedureCaller, signUpWithKey } from '../support/procedure-caller.js';
import { addressIn, startService } from '../support/service-process.js';

/** Four seconds are promised; a busy machine needs more. */
const answeredMs = 20_000;

let seed: DataSeed;

beforeAll(async () => {
  seed = await createDataSeed();
});

afterAll(() => seed[Symbol.dispose]());

test('while the database is frozen, requests get 503 and the service can be stopped, and requests work after it resumes', async () => {
  using folder = seed.createFolder();
  await using service = startService({ folder: folder.path });
  const url = addressIn(await service.ready, 'http');
  const { token, key } = await signUpWithKey(createProcedureCaller(url));
  const ask = async (path: string, credential: string) => {
    const headers = { Authorization: `Bearer ${credential}`, connection: 'close' };
    const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(answeredMs) });
    await response.text();
    return response.status;
  };
  const paths = [
    ['/api/v1/assets', key],
    ['/api/v1/assets/1', key],
    ['/api/v1/locations?q=dock', key],
    ['/trpc/session.me', token],
    ['/trpc/members.list', token],
  ] as const;
  const askAll = () =>
    Promise.all(
      Array.from({ length: 40 }, (_, no) => {
        const [path, credential] = paths[no % paths.length] ?? paths[0];
        return ask(path, credential);
      }),
    );
  expect(new Set(await askAll())).toEqual(new Set([200, 404]));
  const database = databaseProcess(folder.path);
  try {
    database.signal('SIGSTOP');
    expect(new Set(await askAll())).toEqual(new Set([503]));
    // Those that come later do not wait behind the first ones.
    expect(new Set(await askAll())).toEqual(new Set([503]));
    database.signal('SIGCONT');
    await expect.poll(async () => new Set(await askAll()), pollOptions).toEqual(new Set([200, 404]));

    database.signal('SIGSTOP');
    const waiting = Promise.allSettled(paths.map(([path, credential]) => ask(path, credential)));
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    await waiting;
  } finally {
    database.signal('SIGCONT');
    await expect.poll(() => isAlive(database.pid), pollOptions).toBe(false);
  }
}, 180_000);
