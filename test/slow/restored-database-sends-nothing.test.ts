import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createExternalBroker } from '../../ingest-broker/external/index.js';
import { backUp, restore } from '../../server/operations/admin/backup-command.js';
import { pauseOutbound, releaseOutbound } from '../../server/operations/admin/outbound-commands.js';
import { createLog } from '../../server/kernel/log.js';
import { readSettings } from '../../server/kernel/settings.js';
import { createAlertingWorld } from '../support/alerting-world.js';
import { authSecret, createCaller } from '../support/caller.js';
import { externalBroker } from '../support/external-world.js';
import { createTestFolder } from '../support/folder.js';
import { createMailServer } from '../support/mail-server.js';
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from '../support/postgres.js';
import { createWorld } from '../support/world.js';

const log = createLog('silent');
const settingsOf = (url: string) => readSettings({ DATABASE_URL: url, AUTH_SECRET: authSecret });

/** Far more than an event takes to its receiver. */
const quietMs = 3000;

test('a restored database sends no mail and no webhook, and connects to no broker, until a command resumes it', async () => {
  await using smtp = await createMailServer();
  await using original = await createAlertingWorld();
  const { org, session, receiver } = original;
  const email = `owner-${org.orgId}@example.com`;
  await original.db.user.update({ where: { id: session.userId }, data: { email } });
  await original.endpoint({ event_types: ['asset.created'] });
  using folder = createTestFolder();
  const file = path.join(folder.path, 'all.tar.gz');
  await backUp(file, { settings: settingsOf(original.databaseUrl), log, output: process.stdout });
  const target = await createEmptyDatabase();
  const accepts = { acceptsOtherSecret: false, acceptsUnsigned: false };
  const settings = settingsOf(target.url);
  await restore(file, { settings, log, input: process.stdin, pausesOutbound: true, ...accepts });

  await using world = await createRestored(target, smtp.url);
  const { core } = world;
  let connections = 0;
  const server = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const broker = externalBroker((server.address() as AddressInfo).port);
  const external = createExternalBroker({ core, broker, log });
  try {
    await external.listen();
    const actor = await core.identify(session.token);
    const { services } = core.contextFor({ actor, requestId: 'test', clientAddress: '192.0.2.1' });
    const admin = createCaller(services, actor);
    expect(await admin.session.me()).toMatchObject({ outbound_paused: true });
    expect(external.isListening()).toBe(true);
    await admin.assets.create({ name: 'Pallet 42' });
    await admin.session.requestPasswordReset({ email });
    const invitation = await admin.members.invite({ email: 'new@example.com', role: 'viewer' });
    expect(invitation.email_status).toBe('failed');
    await delay(quietMs);
    expect({ connections, mails: smtp.mails.length, webhooks: receiver.received.length }).toEqual({
      connections: 0,
      mails: 0,
      webhooks: 0,
    });

    expect(await releaseOutbound({ settings, log })).toBe(true);
    await Promise.all([receiver.waitFor(1), smtp.waitFor(1)]);
    await expect.poll(() => connections).toBeGreaterThan(0);
    expect(await admin.session.me()).toMatchObject({ outbound_paused: false });
    expect(await releaseOutbound({ settings, log })).toBe(false);
  } finally {
    await external.close();
    server.close();
  }
});

function createRestored(database: TestDatabase, smtpUrl: string) {
  const mail = { smtpUrl, from: 'Whereabouts <alerts@example.com>' };
  return createWorld({ database, settings: { mail, webhooksAllowPrivateAddresses: true }, jobsRepeatMs: 500 });
}

test('a copy that was not made by a restore is paused by a command, and the backup of a paused database is paused', async () => {
  await using database = await createTestDatabase();
  const settings = settingsOf(database.url);
  expect(await pauseOutbound({ settings, log })).toBe(true);
  expect(await pauseOutbound({ settings, log })).toBe(false);
  using folder = createTestFolder();
  const file = path.join(folder.path, 'all.tar.gz');
  await backUp(file, { settings, log, output: process.stdout });
  await using target = await createEmptyDatabase();
  // As `upgrade-database` restores.
  const accepts = { acceptsOtherSecret: false, acceptsUnsigned: false, pausesOutbound: false };
  await restore(file, { settings: settingsOf(target.url), log, input: process.stdin, ...accepts });
  expect(await query(target.url, 'SELECT FROM outbound_pause')).toHaveLength(1);
});
