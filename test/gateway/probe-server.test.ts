import { expect, test } from 'vitest';
import { createProbeServer } from '../../gateway/probe-server.js';
import { createScanWorld } from '../support/scan-world.js';

test('a process without a gateway serves its health and its metrics, and nothing else', async () => {
  await using world = await createScanWorld();
  const broker = { isListening: true };
  const brokerStats = () => ({ connections: 3, messagesUnderWay: 0, droppedMessages: 0 });
  const probes = { brokerListening: () => broker.isListening, brokerStats };
  const door = createProbeServer({ core: world.core, log: world.log, probes, host: '127.0.0.1', port: 0 });
  const { port } = await door.listen();
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return { status: answer.status, text: await answer.text() };
  };

  expect(await ask('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await ask('/readyz?verbose')).toEqual({
    status: 200,
    text: '{"status":"ok","checks":{"database":"ok","broker":"ok"}}',
  });
  expect((await ask('/metrics')).text).toContain('whereabouts_broker_connections 3\n');
  expect(await ask('/readyz', 'HEAD')).toEqual({ status: 200, text: '' });
  for (const path of ['/', '/api/v1/assets', '/api/openapi.json', '/trpc/session.me', '//healthz', '/constructor']) {
    expect(await ask(path)).toEqual({ status: 404, text: '' });
  }
  expect((await ask('/healthz', 'POST')).status).toBe(404);

  broker.isListening = false;
  expect((await ask('/readyz')).status).toBe(503);
  await door.close();
  await expect(ask('/healthz')).rejects.toThrow('fetch failed');
});
