import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildDocument } from '../../gateway/description/document.js';
import { readOperations } from '../../gateway/rest/operations.js';
import { errorTable } from '../../server/kernel/errors.js';
import { fieldErrorCodes } from '../../server/kernel/field-reasons.js';
import { levelsMax } from '../../server/things/locations/tree.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { appRouter } from '../../server/router.js';
import { readProjectFile, tableRowsOf } from './markdown.js';

const page = readProjectFile('docs', 'contract.md');
const document = buildDocument({
  router: appRouter,
  operations: readOperations(appRouter),
  baseUrl: 'https://things.example.org',
});

/** The text of a numbered section, up to the next heading. */
function section(number: string): string {
  const [, text] =
    new RegExp(`^##+ ${number.replace('.', String.raw`\.`)} .*\n([^]*?)(?=^##|$(?![^]))`, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`docs/contract.md has no section ${number}`);
  return text;
}

/** The rows of a section's table, without the marks of code. */
function rows(number: string): string[][] {
  return tableRowsOf(section(number)).map((cells) => cells.map((cell) => cell.replaceAll('`', '')));
}

test('it has every operation with its path, scope and success, and no other', () => {
  const described = Object.entries(document.paths).flatMap(([urlPath, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      `${method.toUpperCase()} ${urlPath}`,
      operation['x-required-scopes'].join() || 'none, API keys only',
      Object.keys(operation.responses).find((status) => status.startsWith('2')),
    ]),
  );
  const documented = rows('3.1').map(([id, urlPath, scope, success]) => [id, urlPath, scope, success?.slice(0, 3)]);
  expect(new Set(documented.map(String))).toEqual(new Set(described.map(String)));
  expect(documented).toHaveLength(described.length);
});

test('it has every error type with its status and title, and every field code', () => {
  const types = Object.entries(errorTable).map(([type, { status, title }]) => [type, String(status), title]);
  const documented = rows('7.2').map(([type, status, title]) => [type, status, title]);
  expect(new Set(documented.map(String))).toEqual(new Set(types.map(String)));
  const codes = rows('7.3').flatMap(([names = '']) => names.split(', '));
  expect(codes.toSorted()).toEqual([...fieldErrorCodes].toSorted());
});

test.each([
  ['2.2', 'AssetView'],
  ['2.4', 'Tag'],
  ['2.5', 'AssetLocationItem'],
  ['2.6', 'AssetHistoryItem'],
])('section %s has the fields of %s', (number, name) => {
  const documented = rows(number).flatMap(([names = '']) => names.split(', '));
  const schema = document.components.schemas[name] as { properties: object };
  expect(documented.toSorted()).toEqual(Object.keys(schema.properties).toSorted());
});

test('it has every query parameter of the lists', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const [id, number] of [
    ['listAssets', '3.2'],
    ['listLocations', '3.2'],
    ['listAssetLocations', '3.5'],
    ['listAssetHistory', '3.6'],
  ] as const) {
    const operation = operations.find(({ operationId }) => operationId === id);
    const parameters = (operation?.parameters ?? []).flatMap((parameter) =>
      'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
    );
    const text = section(number) + section('4');
    expect(parameters.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    expect(parameters.length).toBeGreaterThan(3);
  }
});

test('it has the number of levels that the service has', () => {
  expect(section('2.3')).toContain(`at most ${levelsMax} levels`);
});

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(projectRoot(), folder), { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesIn(file);
    else if (/\.(?:tsx?|md)$/.test(entry.name)) yield file;
  }
}

test('comments and pages cite sections that it has', () => {
  const numbers = new Set(Array.from(page.matchAll(/^##+ (\d+(?:\.\d+)?) /gm), ([, number]) => number));
  // The order of checks is a table whose rows have numbers.
  for (const [number] of rows('8')) numbers.add(number);
  const cited = ['server', 'gateway', 'ingest-broker', 'web', 'test', 'docs'].flatMap((folder) =>
    [...sourcesIn(folder)].flatMap((file) =>
      Array.from(
        readProjectFile(file).matchAll(/\bcontract\]?(?:\([\w./]+\))? (\d+(?:\.\d+)?(?:(?:, | to )\d+\.\d+)*)/gi),
        (match) => (match[1] ?? '').split(/, | to /).map((number) => ({ file, number })),
      ).flat(),
    ),
  );
  expect(cited.length).toBeGreaterThan(80);
  expect(cited.filter(({ number }) => !numbers.has(number))).toEqual([]);
  const own = Array.from(page.matchAll(/(?<=see |[(])(\d+\.\d+)(?=[).,;])/g), ([, number = '']) => number);
  expect(own.filter((number) => !numbers.has(number))).toEqual([]);
});
