import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createDescriptions } from '../../gateway/description/description.js';
import { readOperations } from '../../gateway/rest/operations.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { appRouter } from '../../server/router.js';

const require = createRequire(import.meta.url);
const generator = require.resolve('@redocly/cli/bin/cli.js');
const generatorPackage = require.resolve('@redocly/cli/package.json');

/** The client is written against the browser's types of `fetch`; Node's own lack some names and take more headers. */
const prologue = `
type BodyInit = NonNullable<globalThis.RequestInit['body']>;
type HeadersInit = Headers | Record<string, string> | [string, string][];
type RequestInit = Omit<globalThis.RequestInit, 'headers'> & { headers?: HeadersInit };
declare const document: unknown;
`;

/** The folder of the client, from which `client.ts` is imported; git ignores it. */
export const apiClientFolder = path.join(projectRoot(), 'generated', 'api-client');

/**
 * Generates a typed client from the description, as an integrator would, unless an up-to-date one exists. Nothing is
 * downloaded, and no telemetry is sent.
 */
export function generateApiClient(): void {
  const operations = readOperations(appRouter);
  const descriptions = createDescriptions({ router: appRouter, operations, baseUrl: 'http://localhost:3000' });
  const json = JSON.stringify(descriptions.openapi());
  const version = readFileSync(generatorPackage);
  const stamp = createHash('sha256').update(json).update(version).update(prologue).digest('hex');
  const stampFile = path.join(apiClientFolder, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;

  const draft = `${apiClientFolder}.new-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(path.join(draft, 'openapi.json'), json);
    runGenerator(draft);
    const client = path.join(draft, 'client.ts');
    writeFileSync(client, `${prologue}${readFileSync(client, 'utf8')}`);
    writeFileSync(path.join(draft, '.stamp'), stamp);
    rmSync(apiClientFolder, { recursive: true, force: true });
    renameSync(draft, apiClientFolder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function runGenerator(folder: string): void {
  const args = ['generate-client', 'openapi.json', '--output', 'client.ts', '--error-mode', 'result'];
  const { PATH } = process.env;
  const { status, stderr, error } = spawnSync(process.execPath, [generator, ...args], {
    cwd: folder,
    env: { PATH, HOME: folder, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`no client can be generated from the description:\n${stderr}`);
}
