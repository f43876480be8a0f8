import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindSqlAdapterFactory, ColumnTypeEnum, type SqlQueryable } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

/** PostgreSQL's one-byte type of its own catalogs, which the adapter does not know and the engine reads as a character. */
const charOid = 18;

type WasmExports = {
  readonly __wbindgen_start?: () => void;
};

/** Known to Node, but not to its type declarations. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: WasmExports } }>;
};

let loadedEngine: Promise<typeof engineModule.SchemaEngine> | undefined;

/** The engine's module has no loader for Node; this does what a bundler would, once, for its state is its module's. */
async function loadEngine(): Promise<typeof engineModule.SchemaEngine> {
  const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = readFileSync(file.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...engineModule } });
  const { __wbg_set_wasm: setWasm } = engineModule as unknown as { __wbg_set_wasm(exports: unknown): void };
  setWasm(instance.exports);
  instance.exports.__wbindgen_start?.();
  return engineModule.SchemaEngine;
}

/** The pg adapter, which here also answers columns of the type `"char"`. */
function createAdapter(url: string) {
  const pool = new pg.Pool({ connectionString: url });
  let charColumns: boolean[] = [];
  const query = pool.query.bind(pool) as (config: pg.QueryArrayConfig) => Promise<pg.QueryArrayResult>;
  const answering = async (config: pg.QueryArrayConfig) => {
    const result = await query(config);
    charColumns = result.fields.map(({ dataTypeID }) => dataTypeID === charOid);
    for (const field of result.fields) if (field.dataTypeID === charOid) field.dataTypeID = pg.types.builtins.TEXT;
    return result;
  };
  pool.query = answering as typeof pool.query;

  const factory = new PrismaPg(pool, { disposeExternalPool: true });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sql: Parameters<SqlQueryable['queryRaw']>[0]) => {
      const result = await queryRaw(sql);
      const columnTypes = result.columnTypes.map((type, i) => (charColumns[i] ? ColumnTypeEnum.Character : type));
      return { ...result, columnTypes };
    };
    return adapter;
  };
  return { adapter: bindSqlAdapterFactory(factory), close: () => pool.end() };
}

/** The engine takes a column that a key only includes, beside those that it is made of, for one of them. */
const keyWithIncluded = `-- AlterTable
ALTER TABLE "asset_visits" DROP CONSTRAINT "asset_visits_pkey",
ADD CONSTRAINT "asset_visits_pkey" PRIMARY KEY ("org_id", "asset_id", "arrived_at");`;

/**
 * The SQL that Prisma's own schema engine would run on a database to make it what a schema says; empty if it is.
 * What Prisma's language cannot say, such as partial indexes and checks, the engine passes over.
 */
export async function scriptFromDatabaseToSchema(url: string, schemaFile: string): Promise<string> {
  const SchemaEngine = await (loadedEngine ??= loadEngine());
  const schema = { path: 'schema.prisma', content: readFileSync(schemaFile, 'utf8') };
  const { adapter, close } = createAdapter(url);
  try {
    const engine = await SchemaEngine.new({ datamodels: [[schema.path, schema.content]] }, () => {}, adapter);
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files: [schema], configDir: '.' },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return (stdout ?? '').replace(keyWithIncluded, '');
  } finally {
    await close();
  }
}
