import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkRowTypes } from '../../../support/row-types/check.js';
import type { RecordedColumn, RecordedStatement } from '../../../support/row-types/recorder.js';
import { shapeOfJson } from '../../../support/row-types/shape.js';
import { findStatementSites } from '../../../support/row-types/statement-sites.js';
import { createTestFolder } from '../../../support/folder.js';

const [boolType, int8Type, intType, textType, jsonType, timestamptzType] = [16, 20, 23, 25, 114, 1184];

/** What the code of these projects runs SQL with, by the names that Prisma and node-postgres have for them. */
const drivers = `
  export declare class Sql { private readonly text: string }
  export declare const Prisma: { sql(parts: TemplateStringsArray, ...values: unknown[]): Sql };
  export interface PrismaPromise<T> extends Promise<T> {}
  export declare const db: { $queryRaw<T = unknown>(query: TemplateStringsArray | Sql, ...values: unknown[]): PrismaPromise<T> };
  export interface QueryResult<R> { rows: R[] }
  export declare const client: { query<R = any>(text: string): Promise<QueryResult<R>> };
  export declare function defineStatement<Input, Row = never>(name: string, write: () => string): { row?: Row };
`;

/** Checks the row types of a file of `server/` against statements that a whole run of tests would have recorded. */
function check(code: string, ...statements: RecordedStatement[]): string[] {
  using folder = createTestFolder();
  mkdirSync(path.join(folder.path, 'server'));
  writeFileSync(path.join(folder.path, 'server', 'drivers.ts'), drivers);
  const imports = "import { client, db, defineStatement, Prisma, type Sql } from './drivers.js';";
  writeFileSync(path.join(folder.path, 'server', 'queries.ts'), `${imports}\n${code}`);
  writeFileSync(
    path.join(folder.path, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { strict: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2023' },
      include: ['server'],
    }),
  );
  return checkRowTypes(findStatementSites(folder.path), statements, true).map((fault) =>
    fault.replace(/^server.queries\.ts:\d+: /, ''),
  );
}

function ran(text: string, columns: (Partial<RecordedColumn> & { name: string })[], name = ''): RecordedStatement {
  return { text, name, columns: columns.map((column) => ({ typeId: intType, isNull: false, ...column })) };
}

it('accepts rows that are as they are declared', () => {
  const faults = check(
    `type Row = { id: number; name: string | null; is_live: boolean; at: Date; n: bigint; tags: { value: string }[] };
     export const find = (id: number) => db.$queryRaw<Row[]>\`SELECT * FROM things t WHERE t.id = \${id}\`;`,
    ran('SELECT * FROM things t WHERE t.id = $1', [
      { name: 'id' },
      { name: 'name', typeId: textType, isNull: true },
      { name: 'is_live', typeId: boolType },
      { name: 'at', typeId: timestamptzType },
      { name: 'n', typeId: int8Type },
      { name: 'tags', typeId: jsonType, json: shapeOfJson([{ value: 'a' }, { value: 'b' }]) },
    ]),
  );
  expect(faults).toEqual([]);
});

it('reports columns of another type, nulls, and columns that only one side has', () => {
  const faults = check(
    `type Row = { id: number; name: string; n: number; missing: string };
     export const find = () => db.$queryRaw<Row[]>\`SELECT id, name, n, more FROM things\`;`,
    ran('SELECT id, name, n, more FROM things', [
      { name: 'id' },
      { name: 'name', typeId: textType, isNull: true },
      { name: 'n', typeId: int8Type },
      { name: 'more' },
    ]),
  );
  expect(faults).toEqual([
    'missing is declared, and not selected',
    'more is selected, and not declared',
    'n can be bigint, and is declared as number',
    'name can be null, and is declared as string',
  ]);
});

it('looks into JSON', () => {
  const faults = check(
    `type Row = { tags: { id: number; value: string }[]; data: Record<string, unknown> };
     export const find = () => db.$queryRaw<Row[]>\`SELECT tags, data FROM things\`;`,
    ran('SELECT tags, data FROM things', [
      {
        name: 'tags',
        typeId: jsonType,
        json: shapeOfJson([
          { id: '1', value: 'a' },
          { id: 2, value: null },
        ]),
      },
      { name: 'data', typeId: jsonType, json: shapeOfJson({ anything: 1 }) },
    ]),
  );
  expect(faults).toEqual([
    'tags[].id can be string, and is declared as number',
    'tags[].value can be null, and is declared as string',
  ]);
});

it('takes the row type from the function around a query, and the SQL from templates of the same file', () => {
  const faults = check(
    `const found = (id: number) => Prisma.sql\`SELECT id, name FROM things WHERE id = \${id}\`;
     export function find(id: number): Promise<{ id: string; name: string }[]> {
       return db.$queryRaw(Prisma.sql\`\${found(id)} FOR UPDATE\`);
     }`,
    ran('SELECT id, name FROM things WHERE id = $1 FOR UPDATE', [{ name: 'id' }, { name: 'name', typeId: textType }]),
  );
  expect(faults).toEqual(['id can be number, and is declared as string']);
});

it('does not mistake the statement of one site for the statement of another', () => {
  const faults = check(
    `export const one = (filter: Sql) => db.$queryRaw<{ id: number }[]>\`SELECT id FROM things WHERE \${filter}\`;
     export const other = (id: number) =>
       db.$queryRaw<{ id: number; name: string }[]>\`SELECT id, name FROM things WHERE id = \${id}\`;`,
    ran('SELECT id FROM things WHERE name = $1 AND id > $2', [{ name: 'id' }]),
    ran('SELECT id, name FROM things WHERE id = $1', [{ name: 'id' }, { name: 'name', typeId: textType }]),
  );
  expect(faults).toEqual([]);
});

it('knows what node-postgres parses by itself, and prepared statements by name', () => {
  const faults = check(
    `export const count = () => client.query<{ n: number }>('SELECT count(*) AS n FROM things');
     export const one = defineStatement<undefined, { n: number }>('one', () => \`SELECT n FROM some_things\`);
     export const other = defineStatement<undefined, { n: string }>('other', () => \`SELECT n FROM some_things\`);`,
    ran('SELECT count(*) AS n FROM things', [{ name: 'n', typeId: int8Type }]),
    ran('SELECT n FROM some_things', [{ name: 'n' }], 'one'),
    ran('SELECT n FROM some_things', [{ name: 'n', typeId: textType }], 'other'),
  );
  expect(faults).toEqual(['n can be string, and is declared as number']);
});

it('demands that each statement is run by a test, and is written where its rows are declared', () => {
  const faults = check(
    `export const never = () => db.$queryRaw<{ id: number }[]>\`SELECT id FROM things LIMIT 1\`;
     export const elsewhere = (sql: Sql) => db.$queryRaw<{ id: number }[]>(sql);
     export const unread = (sql: Sql) => db.$queryRaw(sql);
     export const passed = <Row>(sql: Sql) => db.$queryRaw<Row[]>(sql);`,
  );
  expect(faults).toEqual([
    'no test runs this statement',
    'the SQL is not written here, so its row type cannot be checked',
  ]);
});
