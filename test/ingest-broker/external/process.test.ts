import { expect, it } from 'vitest';
import { authSecret } from '../../support/caller.js';
import { createTestFolder } from '../../support/folder.js';
import { startMosquitto } from '../../support/mosquitto.js';
import { createTestDatabase } from '../../support/postgres.js';
import { addressIn, startService } from '../../support/service-process.js';
import { pollOptions } from '../../support/poll-options.js';

it('is not ready, with the reason, while the external broker rejects it; it is once it is accepted', async () => {
  await using database = await createTestDatabase();
  await using mosquitto = await startMosquitto({
    accounts: { service: 'the-right-one' },
    rules: 'user service\ntopic read readers/#',
  });
  using folder = createTestFolder();
  const start = (password: string) =>
    startService({
      folder: folder.path,
      env: {
        DATABASE_URL: database.url,
        AUTH_SECRET: authSecret,
        MQTT_URL: `mqtt://service:${password}@127.0.0.1:${mosquitto.port}`,
        MQTT_GROUP: 'a-secret-group',
      },
    });
  const readiness = async (output: readonly string[]) => {
    const answer = await fetch(`${addressIn(output, 'http')}/readyz`);
    const { checks } = (await answer.json()) as { checks: Record<string, string> };
    return [answer.status, checks['broker']];
  };

  await using wrong = start('hunter2');
  const output = await wrong.ready;
  expect(output).toContain(`Readers publish to the MQTT broker at localhost:${mosquitto.port}`);
  await expect
    .poll(() => wrong.logged, pollOptions)
    .toContainEqual(expect.objectContaining({ reason: 'it refuses the user or the password in MQTT_URL' }));
  expect(await readiness(output)).toEqual([503, 'failed']);
  expect(await wrong.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(JSON.stringify([wrong.output, wrong.logged])).not.toContain('hunter2');

  await using right = start('the-right-one');
  const alsoReady = await right.ready;
  await expect.poll(() => readiness(alsoReady), pollOptions).toEqual([200, 'ok']);
  expect(await right.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});
