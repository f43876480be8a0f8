import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../../support/folder.js';
import { sharedWorld } from '../../support/world.js';
import { documentWithDeprecation } from './deprecated.js';

// The documents as they are served, and one with a deprecated operation and a flaw, which shows that Redocly looks.

const require = createRequire(import.meta.url);
const redocly = require.resolve('@redocly/cli/bin/cli.js');

const files = ['served.json', 'webhooks.json', 'flawed.json'];

let folder: TestFolder;
beforeAll(async () => {
  folder = createTestFolder();
  const world = await sharedWorld();
  const served = (await world.anonymous.get('/api/openapi.json')).text;
  write('served.json', served);
  write('webhooks.json', (await world.anonymous.get('/api/webhooks.json')).text);
  write('flawed.json', JSON.stringify(documentWithDeprecation()).replace('"operationId":"listAssets",', ''));
});
afterAll(() => folder[Symbol.dispose]());

function write(file: string, text: string): void {
  writeFileSync(path.join(folder.path, file), text);
}

/** Runs Redocly in the folder with nothing of this process's environment, and without telemetry. */
function run(args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [redocly, ...args], {
      cwd: folder.path,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject).once('close', () => resolve(output));
  });
}

type Finding = { file: string; rule: string };

const flaw = { file: 'flawed.json', rule: 'operation-operationId' };

test('Redocly finds nothing', async () => {
  const findings = await Promise.all(
    files.map(async (file): Promise<Finding[]> => {
      const output = await run(['lint', file, '--extends', 'recommended', '--format', 'json']);
      const { problems } = JSON.parse(output) as { problems: { ruleId: string }[] };
      return problems.map(({ ruleId: rule }) => ({ file, rule }));
    }),
  );
  expect(findings.flat()).toEqual([flaw]);
});
