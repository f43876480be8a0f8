import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../server/kernel/project-root.js';
import { readProjectFile } from './markdown.js';

/** All texts of the app, wherever they are: in its pages or in a catalog. */
const app = readdirSync(path.join(projectRoot(), 'web'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:tsx?|po|json)$/.test(name))
  .map((name) => readProjectFile('web', name))
  .join('\n');

test('what the user guide has in bold is a text of the app', () => {
  const guide = readProjectFile('docs', 'user-guide.md');
  const names = Array.from(guide.matchAll(/\*\*([^*]+?)\*\*/g), ([, name = '']) => name.replaceAll(/\s+/g, ' '));
  // Sentences that lead a paragraph are ours.
  const named = names.filter((name) => !name.endsWith('.'));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !app.includes(name))).toEqual([]);
});
