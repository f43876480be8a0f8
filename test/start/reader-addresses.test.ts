import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectTls } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createIngestBroker } from '../../ingest-broker/index.js';
import { createLog } from '../../server/kernel/log.js';
import { readProjectFile } from '../docs/markdown.js';
import { bindToFreePorts, startHaproxy } from '../support/haproxy.js';
import { identity } from '../support/mqtt.js';
import { connectPacket } from '../support/raw-mqtt.js';
import { rawReader } from '../support/raw-reader.js';
import { createScanWorld } from '../support/scan-world.js';
import { createSelfSigned } from '../support/self-signed.js';

const balancer = '127.0.0.1';
const device = '127.0.0.77';

/** The process that answers the balancer's checks. */
async function createHealth() {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, paths, [Symbol.dispose]: close };
}

/** Returns what a configuration has for MQTT, with an ingest process on this machine. */
function mqttAlone({ plain, tls, health }: { plain: number; tls: number; health: number }): string {
  return readProjectFile('deploy', 'haproxy.cfg')
    .split(/^(?=\S)/m)
    .filter((section) => /^(?:defaults|frontend mqtt|backend ingest)/.test(section))
    .join('')
    .replaceAll(' resolvers names init-addr none', '')
    .replaceAll(' check port 3001 ', ` check port ${health} `)
    .replace('server-template ingest 20 ingest-broker:1883', `server ingest 127.0.0.1:${plain}`)
    .replace('server-template ingest 20 ingest-broker:8883', `server ingest 127.0.0.1:${tls}`);
}

test('ingest processes behind deploy/haproxy.cfg get the addresses of readers, and its checks succeed', async () => {
  const loggedIn: Record<string, unknown>[] = [];
  const note = (entry: Record<string, unknown>) => entry['msg'] === 'a reader logged in' && loggedIn.push(entry);
  const log = createLog('debug', { write: (line) => note(JSON.parse(line) as Record<string, unknown>) });
  using files = createSelfSigned();
  const mqttTls = { port: 0, certFile: files.certFile, keyFile: files.keyFile };
  await using world = await createScanWorld({ settings: { mqttTls, trustedProxies: [balancer] }, log });
  const broker = createIngestBroker(world);
  const { port: plain, tlsPort: tls = 0 } = await broker.listen();
  using health = await createHealth();
  const { configuration, ports } = await bindToFreePorts(mqttAlone({ plain, tls, health: health.port }));
  const port = ports.get(1883) ?? 0;
  await using haproxy = await startHaproxy(configuration, port);
  await expect.poll(() => health.paths.length, { timeout: 30_000 }).toBeGreaterThan(5);

  const reader = await (await world.organization()).reader();
  using client = await rawReader(port, reader, { localAddress: device });
  expect(client.connack.returnCode).toBe(0);
  const server = { host: balancer, port: ports.get(8883) ?? 0, localAddress: device };
  const encrypted = connectTls({ ...server, rejectUnauthorized: false });
  encrypted.write(connectPacket({ clientId: 'encrypted', ...identity(reader) }));
  expect(await once(encrypted, 'data')).toEqual([Buffer.from([0x20, 2, 0, 0])]);
  encrypted.destroy();
  expect(loggedIn.map(({ remoteAddress }) => remoteAddress)).toEqual([device, device]);
  expect(new Set(health.paths)).toEqual(new Set(['/healthz']));
  expect(haproxy.log()).not.toMatch(/failed|DOWN/);
  await broker.close();
}, 60_000);
