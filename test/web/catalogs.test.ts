import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { formatter } from '@lingui/format-po';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const locales = path.join(root, 'web/locales');
const run = promisify(execFile);

async function messagesOf(language: string): Promise<{ message: string; translation: string }[]> {
  const filename = path.join(locales, `${language}.po`);
  const context = { locale: language, sourceLocale: 'en', filename };
  const catalog = await formatter().parse(await readFile(filename, 'utf8'), context);
  return Object.values(catalog).map(({ message = '', translation }) => ({ message, translation }));
}

/** The parts of a message that the app fills in, and its elements, in alphabetical order. The text of a plural form is no part. */
function partsOf(message: string): string[] {
  const found = message.matchAll(/(?<!\b(?:one|other) )\{(\w+)\s*[,}]|<(\d+)\/?>/g);
  return [...new Set(Array.from(found, ([, name, element]) => name ?? `<${element}>`))].toSorted();
}

test('every text of the app is there in German, with all its parts', async () => {
  const messages = await messagesOf('de');
  expect(messages.length).toBeGreaterThan(1000);
  for (const { message, translation } of messages) {
    expect(translation, message).not.toBe('');
    expect(partsOf(translation), message).toEqual(partsOf(message));
  }
});

test('the catalogs have the texts that are in the code, no more and no fewer', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'whereabouts-texts-'));
  try {
    await cp(locales, folder, { recursive: true });
    const config = path.join(folder, 'lingui.config.mjs');
    const own = JSON.stringify(path.join(root, 'lingui.config.js'));
    await writeFile(
      config,
      `import own from ${own};
       export default { ...own, rootDir: ${JSON.stringify(root)},
         catalogs: [{ ...own.catalogs[0], path: ${JSON.stringify(path.join(folder, '{locale}'))} }] };`,
    );
    const cli = path.join(root, 'node_modules/@lingui/cli/dist/lingui.js');
    await run(process.execPath, [cli, 'extract', '--clean', '--config', config], { cwd: root });
    for (const file of ['en.po', 'de.po']) {
      expect(await readFile(path.join(locales, file), 'utf8'), `${file}: run "npm run texts"`).toBe(
        await readFile(path.join(folder, file), 'utf8'),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
