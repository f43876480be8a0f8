import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.js';

/** Migrations from here on state their locks; older ones have been applied and cannot be edited. */
const first = '20261124';

/** Tables that grow with what an organization has or reads. */
const largeTables = [
  'assets',
  'locations',
  'tags',
  'scan_events',
  'asset_positions',
  'position_listings',
  'asset_visits',
  'unknown_tags',
  'rejected_messages',
];

const folder = path.join(projectRoot(), 'prisma', 'migrations');

const scripts = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name >= first)
  .map(({ name }) => ({ name, script: readFileSync(path.join(folder, name, 'migration.sql'), 'utf8') }));

test.each(scripts)('$name states its locks in the first comment', ({ script }) => {
  const comment = /^(--.*\n)+/.exec(script)?.[0] ?? '';
  expect(comment).toMatch(/^-- (Outside of a transaction\.\n-- )?Locks: /);
});

test.each(scripts)('$name builds indexes of large tables concurrently, and outside of a transaction', ({ script }) => {
  const isOutside = script.startsWith('-- Outside of a transaction.');
  const blocking = largeTables.filter((table) =>
    new RegExp(String.raw`CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)[^;]*\bON "?${table}"?\b`).test(script),
  );
  const created = largeTables.filter((table) => new RegExp(String.raw`CREATE TABLE "?${table}"?\b`).test(script));
  expect(blocking.filter((table) => !created.includes(table))).toEqual([]);
  expect(script.includes('CONCURRENTLY')).toBe(isOutside);
});
