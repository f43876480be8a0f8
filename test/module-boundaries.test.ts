import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../server/kernel/project-root.js';
import { createTestFolder } from './support/folder.js';

type Report = {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
};

/** What the project's lint says of these files: `file: rule`, in the order of the files. */
function lint(files: Record<string, string>): string[] {
  using folder = createTestFolder();
  copyFileSync(path.join(projectRoot(), '.oxlintrc.json'), path.join(folder.path, '.oxlintrc.json'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true });
    writeFileSync(path.join(folder.path, file), text);
  }
  const oxlint = path.join(projectRoot(), 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json'], { cwd: folder.path, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as Report;
  return diagnostics.map(({ code, filename }) => `${filename}: ${code}`).toSorted();
}

/** Every way to import a module, each as a file of its own in the folder. */
function importers(folder: string, target: string): Record<string, string> {
  return {
    [`${folder}/dynamic.ts`]: `export const a = await import('${target}');\n`,
    [`${folder}/passed-on.ts`]: `export { a } from '${target}';\n`,
    [`${folder}/type.ts`]: `import type { A } from '${target}';\nexport type B = A;\n`,
    [`${folder}/value.ts`]: `import { a } from '${target}';\nexport const b = a;\n`,
  };
}

const forbidden = {
  server: ['express', 'aedes', '../../gateway/app.js', '../../ingest-broker/index.js', 'node:process'],
  'server/locating': [
    'zod',
    'pg',
    'node:crypto',
    'node:process',
    '../../scans/ingest.js',
    '../../time.js',
    '../../../generated/prisma/client.js',
    '../../../gateway/index.js',
  ],
  'server/kernel': ['../../people/auth/identity.js', '../../locating/index.js', '../../core.js'],
  'server/people': ['../../notifying/events/event-types.js', '../../app/home/router.js'],
  'server/notifying': ['../../things/tags/schemas.js', '../../tracking/readers/queries.js'],
  'server/things': ['../../tracking/scans/ingest.js', '../../router.js'],
  'server/tracking': ['../../app/imports/router.js', '../../operations/maintenance.js'],
  'server/app': ['../../operations/backup/backup.js', '../../index.js'],
  gateway: [
    '../../server/log.js',
    '../../server/things/assets/index.js',
    '../../ingest-broker/index.js',
    '../../generated/prisma/client.js',
    '@prisma/client',
    '@prisma/adapter-pg',
    'pg',
    'aedes',
    'node:process',
  ],
  'ingest-broker': [
    '../../server/log.js',
    '../../server/tracking/scans/ingest.js',
    '../../gateway/index.js',
    '../../generated/prisma/client.js',
    '@prisma/client',
    '@prisma/adapter-pg',
    'pg',
    'express',
    'node:process',
  ],
  web: [
    '../../server/router.js',
    '../../gateway/app.js',
    '../../ingest-broker/index.js',
    '../../generated/prisma/client.js',
    '@prisma/client',
    'pg',
    'express',
    'aedes',
    '@trpc/server',
    'node:fs',
  ],
  demo: [
    '../../server/index.js',
    '../../gateway/index.js',
    '../../ingest-broker/index.js',
    '../../bench/run.js',
    '../../generated/prisma/client.js',
    '@prisma/client',
    'pg',
    'aedes',
    'express',
    '@trpc/server',
  ],
  'clients/typescript/src': ['../../../../server/index.js', '../../../../gateway/index.js', 'zod', 'node:fs'],
};

test.each(Object.entries(forbidden))('%s/ imports only the modules that it may', (room, targets) => {
  const files = Object.assign({}, ...targets.map((target, i) => importers(`${room}/case-${i}`, target))) as Record<
    string,
    string
  >;
  expect(lint(files)).toEqual(Object.keys(files).map((file) => `${file}: eslint(no-restricted-imports)`));
});

test('imports that the rules allow are accepted', () => {
  expect(
    lint({
      ...importers('server/a', '../../generated/prisma/client.js'),
      ...importers('server/b', '../kernel/errors.js'),
      ...importers('server/locating', './types.js'),
      ...importers('server/operations/a', '../../app/search/router.js'),
      ...importers('server/app/a', '../../tracking/visits/router.js'),
      ...importers('server/tracking/a', '../../things/tags/schemas.js'),
      ...importers('server/things/a', '../../trpc.js'),
      ...importers('gateway/a', '../../server/index.js'),
      ...importers('gateway/b', 'express'),
      ...importers('gateway/c', '@trpc/server/adapters/express'),
      ...importers('ingest-broker/a', '../../server/index.js'),
      ...importers('ingest-broker/c', '../../server/parsing.js'),
      ...importers('ingest-broker/b', 'aedes'),
      ...importers('demo/a', 'mqtt'),
    }),
  ).toEqual([]);
});

test('only the settings read the environment', () => {
  const text = 'export const home = process.env.HOME;\n';
  const names = ['gateway/app.ts', 'ingest-broker/broker.ts', 'main.ts', 'server/people/auth/tokens.ts'];
  expect(lint(Object.fromEntries(names.map((file) => [file, text])))).toEqual(
    names.map((file) => `${file}: node(no-process-env)`),
  );
  expect(lint({ 'server/kernel/settings.ts': text })).toEqual([]);
});

test('default exports, functions of more than three parameters, names in capitals and unchecked links are rejected', () => {
  expect(
    lint({
      'server/a.ts': 'export default 1;\n',
      'server/b.ts': 'export const f = (a: 1, b: 2, c: 3, d: 4) => a + b + c + d;\n',
      'server/c.ts': 'export const PAGE_MAX = 100;\n',
      'server/d.ts': 'export const pageMax = 100;\nexport type Id = { org_id: number };\n',
      'web/ui/e.tsx': "import { Link } from '@tanstack/react-router';\nexport const Other = Link;\n",
    }),
  ).toEqual([
    'server/a.ts: import(no-default-export)',
    'server/b.ts: eslint(max-params)',
    'server/c.ts: eslint(id-match)',
    'web/ui/e.tsx: eslint(no-restricted-imports)',
  ]);
});

test('what browsers offer only over HTTPS is used through one module', () => {
  expect(
    lint({
      'web/a.ts': 'export const a = navigator.storage;\n',
      'web/b.ts': 'export const b = crypto.randomUUID();\n',
      'web/c.ts': "export const c = caches.open('c');\n",
      'web/d.ts': 'export const d = navigator.onLine;\n',
    }),
  ).toEqual([
    'web/a.ts: eslint(no-restricted-properties)',
    'web/b.ts: eslint(no-restricted-properties)',
    'web/c.ts: eslint(no-restricted-globals)',
  ]);
});

test('circles of imports are found, also of types, dynamic imports and components', () => {
  using folder = createTestFolder();
  const files = {
    'a.tsx': "import type { B } from './b.js';\nexport type A = B;\n",
    'b.ts': "export const a = () => import('./c.js');\nexport type B = 1;\n",
    'c.tsx': "export * from './a.js';\n",
    'd.ts': "import { a } from './b.js';\nexport const d = a;\n",
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder.path, file), text);
  const script = path.join(projectRoot(), 'scripts', 'import-circles.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder.path, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'These files import each other: a.tsx, b.ts, c.tsx\n']);
});
