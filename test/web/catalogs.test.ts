import { readFileSync } from 'node:fs';
import path from 'node:path';
import Catalog from 'pofile';
import { expect, test } from 'vitest';

/** The parts of a message that the app fills in, and its elements, in alphabetical order. The text of a plural form is no part. */
function partsOf(message: string): string[] {
  const found = message.matchAll(/(?<!\b(?:one|other) )\{(\w+)\s*[,}]|<(\d+)\/?>/g);
  return [...new Set(Array.from(found, ([, name, element]) => name ?? `<${element}>`))].toSorted();
}

test('every text of the app is there in German, with all its parts', () => {
  const file = path.resolve(import.meta.dirname, '../../web/locales/de.po');
  const { items } = Catalog.parse(readFileSync(file, 'utf8'));
  expect(items.length).toBeGreaterThan(1000);
  for (const {
    msgid: message,
    msgstr: [translation = ''],
  } of items) {
    expect(translation, message).not.toBe('');
    expect(partsOf(translation), message).toEqual(partsOf(message));
  }
});
