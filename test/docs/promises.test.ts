import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { piecesOf, readProjectFile } from './markdown.js';
import { promises, withoutPromises } from './promises.js';

/** The paragraphs, items of lists and rows of tables of a page, outside of the sections without promises, each in one line. */
function statementsOf(page: string): string[] {
  const sections = readProjectFile(page).split(/^(?=## )/m);
  const kept = sections.filter(
    (section) => !withoutPromises.sections.some((heading) => section.startsWith(`## ${heading}\n`)),
  );
  return piecesOf(kept.join(''))
    .filter(({ kind, text }) => kind === 'text' && !text.startsWith('#'))
    .flatMap(({ text }) => text.replace(/^\|.*\|\n\|[-:| ]+\|$/gm, '').split(/\n(?=\||- )/))
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('\n', ' ').replace(/^(?:\| |- )/, ''));
}

test.each(Object.entries(promises))('each promise of %s names the test that holds it', (page, named) => {
  const beginnings = [...named.map(([beginning]) => beginning), ...withoutPromises.statements];
  const statements = statementsOf(page);
  const unnamed = statements.filter((statement) => !beginnings.some((beginning) => statement.startsWith(beginning)));
  expect(unnamed).toEqual([]);
  const gone = named.filter(([beginning]) => !statements.some((statement) => statement.startsWith(beginning)));
  expect(gone).toEqual([]);
});

test('the tests that hold promises are there', () => {
  const missing = Object.values(promises)
    .flat()
    .filter(([, file, name]) => {
      const isThere = existsSync(path.join(projectRoot(), 'test', file));
      return !isThere || !readProjectFile('test', file).includes(name);
    });
  expect(missing).toEqual([]);
});
