import { expect, it } from 'vitest';
import { createLog } from '../../../server/kernel/log.js';
import { readSettings } from '../../../server/kernel/settings.js';
import { pauseOutbound, releaseOutbound } from '../../../server/operations/admin/outbound-commands.js';
import { createStartedDatabase, query } from '../../support/postgres.js';

it('outbound traffic is paused until it is released, and each command reports whether it changed something', async () => {
  await using database = await createStartedDatabase();
  const settings = { ...readSettings({}), databaseUrl: database.url, authSecret: 'secret' };
  const options = { settings, log: createLog('silent') };
  const pauses = () => query(database.url, 'SELECT FROM outbound_pause');
  expect(await pauseOutbound(options)).toBe(true);
  expect(await pauseOutbound(options)).toBe(false);
  expect(await pauses()).toHaveLength(1);
  expect(await releaseOutbound(options)).toBe(true);
  expect(await releaseOutbound(options)).toBe(false);
  expect(await pauses()).toEqual([]);
});
