import { expect, test } from 'vitest';
import { readSettings, settingTable } from '../../server/kernel/settings.js';
import { readProjectFile, tableRowsOf } from './markdown.js';

type Documented = { name: string; fallback: string };

/** The settings in the table of docs/settings.md, in its order. */
function settingsOfDocument(): Documented[] {
  const rows = tableRowsOf(readProjectFile('docs', 'settings.md'));
  return rows.map(([name = '', fallback = '']) => ({
    name: name.replaceAll('`', ''),
    fallback: fallback === 'none' ? '' : fallback.replaceAll('`', ''),
  }));
}

/** The settings in `.env.example`, in order; a default that the line leaves empty can be in the comment above. */
function settingsOfExample(): Documented[] {
  return readProjectFile('.env.example')
    .split(/\n{2,}/)
    .flatMap((group) => {
      const ofComment = /^#.*\bDefault: (\S+)$/m.exec(group)?.[1] ?? '';
      return Array.from(group.matchAll(/^#?([A-Z][A-Z_]+)=(.*)$/gm), ([, name = '', value = '']) => ({
        name,
        fallback: value === '' ? ofComment : value,
      }));
    });
}

test('docs/settings.md and .env.example list the same settings with the same defaults, in the same order', () => {
  expect(settingsOfDocument()).toEqual(settingsOfExample());
});

test('docs/settings.md lists what the service reads, and nothing else', () => {
  expect(
    settingsOfDocument()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(Object.keys(settingTable.shape).toSorted());
});

test('the defaults in docs/settings.md equal the defaults of the service', () => {
  const env = Object.fromEntries(settingsOfDocument().map(({ name, fallback }) => [name, fallback]));
  // Its default is the default of a port that only a certificate opens.
  delete env['MQTT_TLS_PORT'];
  expect(readSettings({ ...env, BASE_URL: env['BASE_URL']?.replace('$PORT', env['PORT'] ?? '') })).toEqual(
    readSettings({}),
  );
});
