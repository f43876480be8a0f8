import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { sharedBrokerWorld } from '../support/mqtt.js';

// The reader that deploy/verify.sh runs in the image.

const world = await sharedBrokerWorld();

afterAll(() => world[Symbol.asyncDispose]());

test('it publishes until SIGTERM, and prints the number of acknowledged reads, which are stored', async () => {
  const org = await world.organization();
  const value = 'E28011900000000000000001';
  const assetId = await org.asset({ tags: [['rfid', value]] });
  const reader = await org.reader({ location_rule: 'newest', resolution_seconds: 0 });
  const child = spawn(
    process.execPath,
    [path.join(projectRoot(), 'deploy', 'verify-reader.mjs'), `mqtt://127.0.0.1:${world.port}`],
    {
      env: {
        MQTT_USERNAME: reader.mqtt_username,
        MQTT_PASSWORD: reader.mqtt_password,
        TOPIC: reader.publish_topic,
        TAG: value,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await expect.poll(async () => (await org.events(assetId)).length).toBeGreaterThan(2);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(Number(output)).toBeGreaterThan(2);
  expect((await org.events(assetId)).length).toBe(Number(output));
});
