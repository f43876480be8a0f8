import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { authSecret } from '../support/caller.js';
import { createTestFolder } from '../support/folder.js';
import { createTestDatabase } from '../support/postgres.js';
import { createSelfSigned } from '../support/self-signed.js';
import { startService } from '../support/service-process.js';

test.each([
  { plain: 'on', line: /^Readers publish to mqtt:\/\/localhost:\d+ and mqtts:\/\/localhost:(\d+)$/ },
  { plain: 'off', line: /^Readers publish to mqtts:\/\/localhost:(\d+)$/ },
])('the log at the start names the ports of MQTT, with plain MQTT $plain', async ({ plain, line }) => {
  await using database = await createTestDatabase();
  using folder = createTestFolder();
  using files = createSelfSigned();
  await using service = startService({
    folder: folder.path,
    env: {
      DATABASE_URL: database.url,
      AUTH_SECRET: authSecret,
      ROLE: 'ingest-broker',
      PROBES_PORT: '0',
      MQTT_PLAIN: plain,
      MQTT_TLS_PORT: '0',
      MQTT_TLS_CERT_FILE: files.certFile,
      MQTT_TLS_KEY_FILE: files.keyFile,
    },
  });
  const output = await service.ready;
  expect(output).toContainEqual(expect.stringMatching(line));
  const port = Number(output.map((text) => line.exec(text)?.[1]).find((found) => found !== undefined));
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.destroy();
});
