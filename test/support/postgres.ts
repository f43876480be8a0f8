import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of one test's own; disposing of it drops it, even if clients are still connected. */
export type TestDatabase = AsyncDisposable & {
  readonly url: string;
};

function urlOf(database: string): string {
  const url = new URL(inject('templateUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: urlOf(name),
    async [Symbol.asyncDispose]() {
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** A migrated database without rows, cloned in some ten milliseconds. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(new URL(inject('templateUrl')).pathname.slice(1));
}

/**
 * A database as the first start of a service leaves it: migrated, with the partitions of events and without rows. Making the
 * partitions takes as long as all else in the start of a world.
 */
export async function createStartedDatabase(): Promise<TestDatabase> {
  return createDatabase(new URL(inject('startedTemplateUrl')).pathname.slice(1));
}

/** A database without any table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template1');
}

/** Returns the rows of one statement, on a connection of its own. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
