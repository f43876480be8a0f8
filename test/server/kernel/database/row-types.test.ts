import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { RecordedColumn, RecordedStatement } from '../../../support/statements/recorder.js';
import { checkRowTypes } from '../../../support/statements/row-types.js';
import { shapeOfJson } from '../../../support/statements/shape.js';
import { findStatementSites } from '../../../support/statements/statement-sites.js';
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

type Ran = Omit<RecordedStatement, 'callers'>;

/**
 * Checks the row types of a file of `server/` against statements that a whole run of tests would have recorded. A statement is run
 * by the line that ends with its number in the order of the statements, such as `// 1`.
 */
function check(code: string, ...ran: Ran[]): { wrong: string[]; unseen: string[] } {
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
  const file = path.join('server', 'queries.ts');
  const lines = `${imports}\n${code}`.split('\n');
  const statements = ran.map((statement, index) => {
    const line = lines.findIndex((text) => text.endsWith(` // ${index + 1}`)) + 1;
    return { ...statement, callers: [{ file, line }] };
  });
  const { wrong, unseen } = checkRowTypes(findStatementSites(folder.path), statements);
  return { wrong: wrong.map((fault) => fault.replace(/^server.queries\.ts:\d+: /, '')), unseen };
}

function ran(text: string, columns: (Partial<RecordedColumn> & { name: string })[], name = ''): Ran {
  return { text, name, columns: columns.map((column) => ({ typeId: intType, isNull: false, ...column })) };
}

it('accepts rows that are as they are declared', () => {
  const faults = check(
    `type Row = { id: number; name: string | null; is_live: boolean; at: Date; n: bigint; tags: { value: string }[] };
     export const find = (id: number) => db.$queryRaw<Row[]>\`SELECT * FROM things t WHERE t.id = \${id}\`; // 1`,
    ran('SELECT * FROM things t WHERE t.id = $1', [
      { name: 'id' },
      { name: 'name', typeId: textType, isNull: true },
      { name: 'is_live', typeId: boolType },
      { name: 'at', typeId: timestamptzType },
      { name: 'n', typeId: int8Type },
      { name: 'tags', typeId: jsonType, json: shapeOfJson([{ value: 'a' }, { value: 'b' }]) },
    ]),
  );
  expect(faults).toEqual({ wrong: [], unseen: [] });
});

it('reports columns of another type, nulls, and columns that only one side has', () => {
  const faults = check(
    `type Row = { id: number; name: string; n: number; missing: string };
     export const find = () => db.$queryRaw<Row[]>\`SELECT id, name, n, more FROM things\`; // 1`,
    ran('SELECT id, name, n, more FROM things', [
      { name: 'id' },
      { name: 'name', typeId: textType, isNull: true },
      { name: 'n', typeId: int8Type },
      { name: 'more' },
    ]),
  );
  expect(faults.wrong).toEqual([
    'missing is declared, and not selected',
    'more is selected, and not declared',
    'n can be bigint, and is declared as number',
    'name can be null, and is declared as string',
  ]);
});

it('looks into JSON', () => {
  const faults = check(
    `type Row = { tags: { id: number; value: string }[]; data: Record<string, unknown> };
     export const find = () => db.$queryRaw<Row[]>\`SELECT tags, data FROM things\`; // 1`,
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
  expect(faults.wrong).toEqual([
    'tags[].id can be string, and is declared as number',
    'tags[].value can be null, and is declared as string',
  ]);
});

it('takes the row type from the function around a query, whatever the SQL is made of', () => {
  const faults = check(
    `const found = (id: number) => Prisma.sql\`SELECT id, name FROM things WHERE id = \${id}\`;
     export function find(id: number): Promise<{ id: string; name: string }[]> {
       return db.$queryRaw(Prisma.sql\`\${found(id)} FOR UPDATE\`); // 1
     }`,
    ran('SELECT id, name FROM things WHERE id = $1 FOR UPDATE', [{ name: 'id' }, { name: 'name', typeId: textType }]),
  );
  expect(faults.wrong).toEqual(['id can be number, and is declared as string']);
});

it('does not mistake the statement of one site for the statement of another', () => {
  const faults = check(
    `export const one = (filter: Sql) => db.$queryRaw<{ id: number }[]>\`SELECT id FROM things WHERE \${filter}\`; // 1
     export const other = (id: number) =>
       db.$queryRaw<{ id: number; name: string }[]>\`SELECT id, name FROM things WHERE id = \${id}\`; // 2`,
    ran('SELECT id FROM things WHERE name = $1 AND id > $2', [{ name: 'id' }]),
    ran('SELECT id, name FROM things WHERE id = $1', [{ name: 'id' }, { name: 'name', typeId: textType }]),
  );
  expect(faults).toEqual({ wrong: [], unseen: [] });
});

it('knows what node-postgres parses by itself, and prepared statements by name', () => {
  const faults = check(
    `export const count = () => client.query<{ n: number }>('SELECT count(*) AS n FROM things'); // 1
     export const one = defineStatement<undefined, { n: number }>('one', () => \`SELECT n FROM some_things\`);
     export const other = defineStatement<undefined, { n: string }>(\`other_\${1}\`, () => \`SELECT n FROM some_things\`);`,
    ran('SELECT count(*) AS n FROM things', [{ name: 'n', typeId: int8Type }]),
    ran('SELECT n FROM some_things', [{ name: 'n' }], 'one'),
    ran('SELECT n FROM some_things', [{ name: 'n', typeId: textType }], 'other_1'),
  );
  expect(faults.wrong).toEqual(['n can be string, and is declared as number']);
});

it('lists sites whose statement no test runs, and leaves out calls that read no rows or pass on the rows of others', () => {
  const faults = check(
    `export const never = () => db.$queryRaw<{ id: number }[]>\`SELECT id FROM things LIMIT 1\`;
     export const unread = (sql: Sql) => db.$queryRaw(sql);
     export const passed = <Row>(sql: Sql) => db.$queryRaw<Row[]>(sql);`,
  );
  expect(faults).toEqual({ wrong: [], unseen: [`${path.join('server', 'queries.ts')}:2`] });
});
