import { expect, it } from 'vitest';
import { authSecret } from '../support/caller.js';
import { createTestFolder } from '../support/folder.js';
import { createExternalWorld, ingestPassword, ingestUser } from '../support/external-world.js';
import { createScanWorld } from '../support/scan-world.js';
import { startService } from '../support/service-process.js';
import { pollOptions } from '../support/poll-options.js';

const messages = 3000;
const killedAfter = 1000;

it('loses no message that the broker accepted when one of two processes is killed, and stores each once', {
  timeout: 60_000,
}, async () => {
  await using world = await createScanWorld();
  const org = await world.organization();
  const assetId = await org.asset({ tags: [['rfid', 'A1']] });
  const reader = await org.reader({ resolution_seconds: 0 });
  await using outside = await createExternalWorld(world, { readers: [reader] });
  using folder = createTestFolder();
  const start = (clientId: string) =>
    startService({
      folder: folder.path,
      env: {
        ROLE: 'ingest-broker',
        DATABASE_URL: world.databaseUrl,
        AUTH_SECRET: authSecret,
        MQTT_URL: `mqtt://${ingestUser}:${ingestPassword}@127.0.0.1:${outside.mosquitto.port}`,
        MQTT_CLIENT_ID: clientId,
      },
    });
  await using doomed = start('ingest-1');
  await doomed.ready;
  await using survivor = start('ingest-2');
  await survivor.ready;
  for (const { logged } of [doomed, survivor]) {
    await expect.poll(() => JSON.stringify(logged), pollOptions).toContain('connected to the external broker');
  }

  const client = await outside.connect(reader);
  const firstMs = Date.now() - messages;
  let taken = 0;
  const publish = async (n: number) => {
    const payload = JSON.stringify({ reads: [{ value: 'A1', observed_at: new Date(firstMs + n).toISOString() }] });
    await client.publishAsync(reader.publish_topic, payload, { qos: 1 });
    taken += 1;
    if (taken === killedAfter) doomed.child.kill('SIGKILL');
  };
  await Promise.all(Array.from({ length: messages }, (_, n) => publish(n)));
  expect((await doomed.ended).signal).toBe('SIGKILL');
  // What the broker had meant for the one that was killed waits for it.
  await using again = start('ingest-1');
  await again.ready;
  await expect.poll(async () => (await org.events(assetId)).length, pollOptions).toBe(messages);
});
