import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { readProjectFile } from './markdown.js';

const decisions = readdirSync(path.join(projectRoot(), 'docs', 'decisions'))
  .filter((name) => name.endsWith('.md'))
  .toSorted();
const docsFolder = path.join(projectRoot(), 'docs');
const guides = [
  ...readdirSync(docsFolder),
  ...['readers', 'internals'].flatMap((folder) =>
    readdirSync(path.join(docsFolder, folder)).map((name) => `${folder}/${name}`),
  ),
].filter((name) => name.endsWith('.md'));
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...guides.toSorted().map((name) => `docs/${name}`),
  ...decisions.map((name) => `docs/decisions/${name}`),
];

/** The paths that a page links to or names, from the root. */
function pathsIn(page: string): string[] {
  const text = readProjectFile(page);
  const links = Array.from(text.matchAll(/\]\(([^)#:]+)\)/g), ([, link = '']) => path.join(path.dirname(page), link));
  const named = text.matchAll(/`((?:server|gateway|ingest-broker|prisma|test|docs|scripts)\/[\w./-]*)`/g);
  return [...links, ...Array.from(named, ([, file = '']) => file)];
}

test.each(pages)('%s speaks of files that exist', (page) => {
  expect(pathsIn(page).filter((file) => !existsSync(path.join(projectRoot(), file)))).toEqual([]);
});

test('every decision is in the list of decisions, under its own heading', () => {
  const list = readProjectFile('docs', 'decisions', 'README.md');
  const listed = Array.from(
    list.matchAll(/\[(\d{4})\]\((\1-[\w-]+\.md)\) \| (.+) \|/g),
    ([, number, file = '', title]) => [file, `# ${number} ${title}`],
  );
  const written = decisions
    .filter((name) => name !== 'README.md')
    .map((name) => [name, readProjectFile('docs', 'decisions', name).split('\n')[0]]);
  expect(listed).toEqual(written);
});

test('the code that a decision explains names its page', () => {
  const source = ['server', 'gateway', 'ingest-broker'].flatMap((folder) =>
    readdirSync(path.join(projectRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readProjectFile(folder, name)),
  );
  const named = new Set(source.flatMap((text) => text.match(/docs\/decisions\/\d{4}-[\w-]+\.md/g) ?? []));
  const kept = decisions.filter((name) => name !== 'README.md').map((name) => `docs/decisions/${name}`);
  expect([...named].toSorted()).toEqual(kept);
});
