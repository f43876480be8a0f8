import { expect, test } from 'vitest';
import { createHealth } from '../../gateway/health.js';
import { createProbeServer } from '../../gateway/probe-server.js';
import { sharedScanWorld } from '../support/scan-world.js';

async function serve(handlers: ReturnType<typeof createHealth>['handlers']) {
  const server = createProbeServer({ host: '127.0.0.1', port: 0, handlers });
  const { port } = await server.listen();
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, close: server.close };
}

test('a process without a gateway shows its health and its metrics, and nothing else', async () => {
  const world = await sharedScanWorld();
  const broker = { isListening: true };
  const brokerStats = () => ({ connections: 3, messagesUnderWay: 0, droppedMessages: 0 });
  const probes = { brokerListening: () => broker.isListening, brokerStats };
  const settings = { ...world.settings, role: 'ingest-broker' as const };
  const { handlers } = createHealth({ core: world.core, settings, log: world.log, probes });
  const { ask, close } = await serve(handlers);

  expect(await ask('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await ask('/readyz?verbose')).toEqual({
    status: 200,
    text: '{"status":"ok","role":"ingest-broker","checks":{"database":"ok","broker":"ok"}}',
  });
  expect((await ask('/metrics')).text).toContain('whereabouts_broker_connections 3\n');
  expect(await ask('/readyz', 'HEAD')).toEqual({ status: 200, text: '' });
  for (const path of ['/', '/api/v1/assets', '/api/openapi.json', '/trpc/session.me', '//healthz', '/constructor']) {
    expect(await ask(path)).toEqual({ status: 404, text: '' });
  }
  expect((await ask('/healthz', 'POST')).status).toBe(404);

  broker.isListening = false;
  expect((await ask('/readyz')).status).toBe(503);
  await close();
  await expect(ask('/healthz')).rejects.toThrow('fetch failed');
});

test('metrics with a port of their own are there alone', async () => {
  const world = await sharedScanWorld();
  const settings = { ...world.settings, metricsPort: 0 };
  const probes = { brokerListening: () => true };
  const { handlers, metricsHandlers } = createHealth({ core: world.core, settings, log: world.log, probes });
  const [health, metrics] = [await serve(handlers), await serve(metricsHandlers)];
  expect((await health.ask('/metrics')).status).toBe(404);
  expect((await health.ask('/readyz')).status).toBe(200);
  expect((await metrics.ask('/metrics')).text).toContain('whereabouts_requests_waiting');
  expect((await metrics.ask('/readyz')).status).toBe(404);
  await Promise.all([health.close(), metrics.close()]);
});
