import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../../server/kernel/project-root.js';
import { apiClientFolder, generateApiClient } from '../../support/api-client.js';
import { sharedWorld } from '../../support/world.js';
import type * as Example from './client-example.js';

// A client made from the description alone compiles, rejects mistakes, and works against the service.

const example = path.join(import.meta.dirname, 'client-example.ts');

beforeAll(generateApiClient);

test('compiles with the project’s options, and rejects what the API would', async () => {
  const project = path.join(apiClientFolder, `tsconfig.${process.pid}.json`);
  const options = {
    extends: '../../tsconfig.json',
    compilerOptions: { rootDir: '../..' },
    include: [],
    files: [example],
  };
  writeFileSync(project, JSON.stringify(options));
  try {
    const compiler = path.join(projectRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', project]).catch((error) => error);
    expect(stdout).toBe('');
  } finally {
    rmSync(project);
  }
});

test('does what its operations are called', async () => {
  const world = await sharedWorld();
  const { orgId, keyId, token } = await world.organization('Acme');
  // By a name that is not there to be resolved before the client is generated.
  const { runExample } = (await import(example)) as typeof Example;
  const result = await runExample(world.url, token);
  expect(result.organization).toMatchObject({ id: orgId, name: 'Acme', api_key_id: keyId });
  expect(result.pallet).toMatchObject({ external_key: 'PALLET-1', metadata: { n: 1 } });
  expect(result.locationOfCreated).toBe(`/api/v1/assets/${result.pallet.id}`);
  expect(result.changed).toMatchObject({ id: result.pallet.id, name: 'Pallet 1', tags: result.pallet.tags });
  expect(result.stale).toEqual({ type: 'validation_error', fields: ['updated_at: read_only'] });
  expect(result.found).toEqual(['PALLET-1']);
  expect(result.below).toEqual([{ id: result.gate.id, parent_id: result.gate.parent_id }]);
  expect([result.removed, result.seen]).toEqual([204, 0]);
});
