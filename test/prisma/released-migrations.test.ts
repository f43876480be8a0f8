import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.js';
import { readProjectFile } from '../docs/markdown.js';

/** The migrations of the latest release: name and SHA-256, as `sha256sum` prints them. */
const released = Array.from(
  readProjectFile('prisma', 'released-migrations.sha256').matchAll(/^([0-9a-f]{64}) {2}(.+)\/migration\.sql$/gm),
  ([, checksum = '', name = '']) => ({ name, checksum }),
);

const migrations = readdirSync(path.join(projectRoot(), 'prisma', 'migrations')).filter((name) =>
  existsSync(path.join(projectRoot(), 'prisma', 'migrations', name, 'migration.sql')),
);

function checksumOf(name: string): string {
  const script = readProjectFile('prisma', 'migrations', name, 'migration.sql').replaceAll('\r\n', '\n');
  return createHash('sha256').update(script).digest('hex');
}

test('a released migration is neither edited nor removed', () => {
  expect(released.length).toBeGreaterThan(40);
  const changed = released.filter(({ name, checksum }) => !migrations.includes(name) || checksumOf(name) !== checksum);
  expect(changed.map(({ name }) => name)).toEqual([]);
});

test('a migration that is not released comes after all that are', () => {
  const names = released.map(({ name }) => name);
  const latest = names.toSorted().at(-1) ?? '';
  expect(migrations.filter((name) => !names.includes(name) && name < latest)).toEqual([]);
});
