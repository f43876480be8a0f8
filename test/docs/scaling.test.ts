import { expect, test } from 'vitest';
import { readProjectFile } from './markdown.js';

test('docs/scaling.md lists every table once among what Citus and Timescale would distribute', () => {
  const [, section = ''] = readProjectFile('docs', 'scaling.md').split('## Citus and Timescale');
  const listed = Array.from(section.matchAll(/^\| (`[^|]+) \|/gm), ([, cell = '']) =>
    Array.from(cell.matchAll(/`([a-z_]+)`/g), ([, name = '']) => name),
  ).flat();
  const tables = Array.from(
    readProjectFile('prisma', 'schema.prisma').matchAll(/@@map\("(\w+)"\)/g),
    ([, name = '']) => name,
  );
  // These two belong to the tools that make them.
  const others = ['_prisma_migrations', 'graphile_worker'];
  expect(listed.filter((name) => !others.includes(name)).toSorted()).toEqual(tables.toSorted());
});
