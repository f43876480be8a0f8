import { expect, test } from 'vitest';
import { createMetrics } from '../../gateway/metrics.js';
import { createProbes, type ProbeOptions } from '../../gateway/probes.js';
import { createListener } from '../support/http-listener.js';

async function createWorld(options: Partial<ProbeOptions>) {
  const metrics = createMetrics({ processMetrics: false });
  const probes = createProbes({ checks: {}, timeoutMs: 1000, metrics, role: 'gateway', ...options });
  const handlers = new Map(Object.entries(probes));
  const listener = await createListener((request, response) =>
    handlers.get(request.url?.slice(1) ?? '')?.(request, response),
  );
  const get = (path: string, method = 'GET') => fetch(`${listener.url}/${path}`, { method });
  return { ...listener, metrics, get };
}

const works = async () => 'anything';
const fails = async () => {
  throw new Error('password authentication failed for user "admin"');
};
const hangs = () => new Promise<never>(() => {});

test('healthz reports that the process answers, even if a check fails', async () => {
  await using world = await createWorld({ checks: { database: fails } });
  const answer = await world.get('healthz');
  expect([answer.status, await answer.text()]).toStrictEqual([200, '{"status":"ok"}']);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('readyz is 200 when every check passes', async () => {
  await using world = await createWorld({ checks: { database: works, broker: works } });
  const answer = await world.get('readyz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toStrictEqual({
    status: 'ok',
    role: 'gateway',
    checks: { database: 'ok', broker: 'ok' },
  });
});

test('readyz is 503 when one does not, and keeps the reason to the log', async () => {
  const failures: [string, unknown][] = [];
  const throws = () => {
    throw new Error('at once');
  };
  await using world = await createWorld({
    checks: { database: fails, broker: works, migrations: throws },
    onFailure: (name, error) => failures.push([name, (error as Error).message]),
  });
  const answer = await world.get('readyz');
  expect(answer.status).toBe(503);
  const checks = { database: 'failed', broker: 'ok', migrations: 'failed' };
  expect(await answer.json()).toStrictEqual({ status: 'unavailable', role: 'gateway', checks });
  expect(failures).toHaveLength(2);
  expect(failures).toContainEqual(['database', 'password authentication failed for user "admin"']);
});

test('readyz is 200 although an optional component is unavailable, and shows it', async () => {
  await using world = await createWorld({ checks: { database: works }, dispensable: { redis: fails } });
  const answer = await world.get('readyz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toStrictEqual({
    status: 'degraded',
    role: 'gateway',
    checks: { database: 'ok', redis: 'failed' },
  });
  await using down = await createWorld({ checks: { database: fails }, dispensable: { redis: works } });
  const unavailable = await down.get('readyz');
  expect(unavailable.status).toBe(503);
  const checks = { database: 'failed', redis: 'ok' };
  expect(await unavailable.json()).toStrictEqual({ status: 'unavailable', role: 'gateway', checks });
});

test('a check that hangs is given up, and asked once however many look', async () => {
  let asked = 0;
  const countsAndHangs = () => {
    asked += 1;
    return hangs();
  };
  await using world = await createWorld({ checks: { database: countsAndHangs, broker: works }, timeoutMs: 2000 });
  const answers = await Promise.all([world.get('readyz'), world.get('readyz'), world.get('readyz')]);
  expect(answers.map((answer) => answer.status)).toStrictEqual([503, 503, 503]);
  expect(await answers[0]?.json()).toMatchObject({ checks: { database: 'timed out', broker: 'ok' } });
  expect(asked).toBe(1);
});

test('servez is 200 although a check fails, and 503 once the process stops', async () => {
  let isDraining = false;
  await using world = await createWorld({ checks: { database: fails }, isDraining: () => isDraining });
  const answer = await world.get('servez');
  expect([answer.status, await answer.json()]).toStrictEqual([200, { status: 'ok', role: 'gateway' }]);
  isDraining = true;
  expect((await world.get('servez')).status).toBe(503);
});

test('the metrics have the readiness and each check', async () => {
  await using world = await createWorld({ checks: { database: fails, broker: works }, dispensable: { disk: fails } });
  const page = await (await world.get('metrics')).text();
  const lines = page.split('\n').filter((line) => /^whereabouts_(ready|check_ok)/.test(line));
  expect(lines).toEqual([
    'whereabouts_ready{role="gateway"} 0',
    'whereabouts_check_ok{check="database"} 0',
    'whereabouts_check_ok{check="broker"} 1',
    'whereabouts_check_ok{check="disk"} 0',
  ]);
  await using degraded = await createWorld({ checks: { database: works }, dispensable: { disk: fails } });
  expect(await (await degraded.get('metrics')).text()).toContain('whereabouts_ready{role="gateway"} 1');
});

test('a state that recovers is seen', async () => {
  let check: () => Promise<unknown> = fails;
  await using world = await createWorld({ checks: { database: () => check() } });
  expect((await world.get('readyz')).status).toBe(503);
  check = works;
  expect((await world.get('readyz')).status).toBe(200);
});

test('metrics serves the page', async () => {
  await using world = await createWorld({});
  world.metrics.observeRequest({ operation: 'getAsset', method: 'GET', status: 200, durationMs: 1 });
  const answer = await world.get('metrics');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await answer.text()).toContain('operation="getAsset"');
});

test('a process about to stop is alive and not ready, even if all checks succeed', async () => {
  let asked = 0;
  const counts = async () => {
    asked += 1;
  };
  await using world = await createWorld({ checks: { database: counts }, isDraining: () => true });
  expect((await world.get('healthz')).status).toBe(200);
  const answer = await world.get('readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toStrictEqual({ status: 'stopping', role: 'gateway', checks: {} });
  expect(asked).toBe(0);
});

test('metrics with a token are rejected without it', async () => {
  await using world = await createWorld({ metricsToken: 'a token of the operator' });
  const ask = (authorization?: string) =>
    fetch(`${world.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
  for (const credential of [undefined, '', 'Bearer', 'Bearer a token of', 'a token of the operator']) {
    const answer = await ask(credential);
    expect([credential, answer.status]).toEqual([credential, 401]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.text()).not.toContain('http_request_duration');
  }
  const answer = await ask('Bearer a token of the operator');
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('http_request_duration_seconds')]);
  expect((await world.get('healthz')).status).toBe(200);
});

test('HEAD has the headers and no body', async () => {
  await using world = await createWorld({ checks: { database: works } });
  for (const path of ['healthz', 'readyz', 'metrics']) {
    const [head, get] = [await world.get(path, 'HEAD'), await world.get(path)];
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect([head.status, await head.text()]).toStrictEqual([200, '']);
  }
});
