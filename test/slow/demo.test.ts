import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPostmaster } from '../../server/kernel/database/embedded/postmaster.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { createDataSeed, type DataSeed } from '../support/data-folder.js';
import { createTestFolder } from '../support/folder.js';
import { addressIn, type ServiceProcess, startService } from '../support/service-process.js';

let seed: DataSeed;

beforeAll(async () => {
  seed = await createDataSeed();
});

afterAll(() => seed[Symbol.dispose]());

const program = [process.execPath, path.join(projectRoot(), 'scripts', 'demo.mjs')] as const;

function startDemo(folder: string, args: readonly string[], env: Record<string, string> = {}): ServiceProcess {
  return startService({ folder, env, command: [...program, ...args] });
}

/** Resolves with the first line on standard error that matches. */
async function lineWritten(demo: ServiceProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const line = demo.output.find((candidate) => wanted.test(candidate));
      if (line === undefined) return;
      demo.child.stderr?.off('data', look);
      resolve(line);
    };
    demo.child.stderr?.on('data', look);
    look();
    void demo.ended.then(() => reject(new Error(`the demo ended:\n${demo.output.join('\n')}`)));
  });
}

/** Everything on standard output, once the demo has ended. */
async function resultsOf({ child }: ServiceProcess): Promise<string> {
  return child.stdout ? text(child.stdout) : '';
}

function isDatabaseRunning(folder: string): boolean {
  return findPostmaster(path.join(folder, 'data', 'postgres')) !== undefined;
}

/** Returns how many assets the API key that the demo printed can see. */
async function assetsSeen(url: string, output: readonly string[]): Promise<number> {
  const key = output.join('\n').match(/KEY=(\S+)/)?.[1];
  const answer = await fetch(`${url}/api/v1/reports/asset-locations`, { headers: { Authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { total_count: number }).total_count;
}

test('Ctrl-C during the day prints the result, stops everything, and leaves the data for npm start', async () => {
  using folder = seed.createFolder();
  await using demo = startDemo(folder.path, ['--assets', '20', '--hours', '2', '--speed', '200']);
  const results = resultsOf(demo);
  await lineWritten(demo, /^06:\d\d +\d+ %/);
  demo.child.kill('SIGINT');
  expect(await demo.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(await results).toMatch(/^Results for seed 1: .* hours, from 06:00 to 0[67]:\d\d/);
  expect(demo.output.at(-1)).toBe('The service stops. The data stays: npm start shows it again.');
  expect(isDatabaseRunning(folder.path)).toBe(false);

  await using service = startService({ folder: folder.path });
  expect(await assetsSeen(addressIn(await service.ready, 'http'), demo.output)).toBeGreaterThan(0);
});

test('Ctrl-C before the day begins stops everything too', async () => {
  using folder = seed.createFolder();
  await using demo = startDemo(folder.path, ['--assets', '5000']);
  await lineWritten(demo, /^Creating the organization/);
  expect(await demo.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(demo.output.at(-1)).toBe('Stopped before the day began.');
  expect(isDatabaseRunning(folder.path)).toBe(false);
});

test('the demo plays day after day until Ctrl-C, and uses a running service without stopping it', async () => {
  using folder = seed.createFolder();
  const day = ['--assets', '20', '--hours', '0.1', '--speed', 'max'];
  await using demo = startDemo(folder.path, day);
  await lineWritten(demo, /^Day 2 begins\.$/);
  const url = addressIn(demo.output, 'http');
  expect(await assetsSeen(url, demo.output)).toBeGreaterThan(0);

  const addresses = { PORT: new URL(url).port, MQTT_PORT: new URL(addressIn(demo.output, 'mqtt')).port };
  await using other = startDemo(folder.path, [...day, '--seed', '2'], addresses);
  expect(await other.ended).toEqual({ code: 0, signal: null });
  expect(other.output).toContain(`A service answers at http://localhost:${addresses.PORT}: the day is played there.`);
  expect(await assetsSeen(url, other.output)).toBeGreaterThan(0);
  expect(await demo.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(isDatabaseRunning(folder.path)).toBe(false);
});

test('invalid options and --help are answered before anything starts', async () => {
  using folder = createTestFolder();
  await using bad = startDemo(folder.path, ['--speed', 'fast']);
  expect(await bad.ended).toEqual({ code: 1, signal: null });
  expect(bad.output.join('\n')).toContain('--speed must be a number from 0.1 to 10000, not "fast"\n\nnpm run demo --');
  await using help = startDemo(folder.path, ['--help']);
  const results = resultsOf(help);
  expect(await help.ended).toEqual({ code: 0, signal: null });
  expect(await results).toMatch(/^npm run demo -- \[options\]\n/);
});

test('another program at the address of the service ends the demo', async () => {
  using folder = createTestFolder();
  const server = createServer((_request, response) => response.end('{"hello":"world"}'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const port = String((server.address() as AddressInfo).port);
  try {
    await using demo = startDemo(folder.path, [], { PORT: port, MQTT_PORT: '1' });
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.output.at(-1)).toBe(
      `Another program answers at http://localhost:${port}: stop it, or set PORT to a free port.`,
    );
    await using other = startDemo(folder.path, ['--url', `http://127.0.0.1:${port}`]);
    expect(await other.ended).toEqual({ code: 1, signal: null });
    expect(other.output.at(-1)).toBe(`Whereabouts does not answer at http://127.0.0.1:${port}.`);
  } finally {
    server.close();
  }
});

test('the demo ends with the reason if the service does not start', async () => {
  using folder = createTestFolder();
  await using demo = startDemo(folder.path, [], { LOG_LEVEL: 'loud' });
  expect(await demo.ended).toEqual({ code: 1, signal: null });
  expect(demo.output.slice(-2)).toEqual([
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    'The service did not start.',
  ]);
});
