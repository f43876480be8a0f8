import type { AnyTRPCProcedure } from '@trpc/server';
import { type AppRouter, type Meta, scopes as knownScopes } from '../../server/index.js';

/** A validated value or the issues of a Zod schema, for the schemas of path parameters. */
type ParameterSchema = {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: { issues: never[] } };
};

// docs/decisions/0001-rest-handler-of-our-own.md explains why the service does not use the handler of a library.

/** One public operation, read from a procedure's annotations at start. */
export type Operation = {
  id: string;
  method: string;
  /** As in the description: `/api/v1/assets/{asset_id}`. */
  path: string;
  pathKeys: readonly string[];
  pathSchemas: ReadonlyMap<string, ParameterSchema>;
  /** The declared order of the input's fields. */
  declaredKeys: readonly string[];
  kind: 'query' | 'body';
  /** The only media type of a body, or undefined without a body. */
  contentType: 'application/json' | 'application/merge-patch+json' | undefined;
  procedure: Invocable;
  procedureName: string;
  procedureType: 'query' | 'mutation';
  input: ObjectSchema;
  meta: Meta;
  successStatus: number;
  /** The list that accepts list-only parameters, if there is one. */
  listSibling: { path: string; keys: ReadonlySet<string> } | undefined;
  /** Whether the operation itself is a list, which returns pages. */
  isList: boolean;
};

type ObjectSchema = { shape: Record<string, ParameterSchema>; safeParse: ParameterSchema['safeParse'] };

type Invocable = (options: {
  ctx: unknown;
  getRawInput: () => Promise<unknown>;
  path: string;
  type: 'query' | 'mutation';
  input: unknown;
  signal: AbortSignal | undefined;
  batchIndex: number;
}) => Promise<unknown>;

/**
 * Reads every public operation from the routers. Throws, naming the procedure, if two collide, scopes or an operation
 * id are missing, a path parameter has no schema, or a schema does not describe an object, so that a mistake stops the
 * start.
 */
export function readOperations(router: AppRouter): Operation[] {
  const found = Object.entries(router._def.procedures as unknown as Record<string, AnyTRPCProcedure>).flatMap(
    ([name, procedure]) => {
      const meta = (procedure._def as { meta?: Meta }).meta;
      return meta?.openapi ? [readOperation(name, procedure, meta)] : [];
    },
  );
  rejectCollisions(found);
  const lists = new Map(found.filter((operation) => operation.isList).map((operation) => [operation.path, operation]));
  return found.map((operation) => ({ ...operation, listSibling: siblingOf(operation, lists) }));
}

function readOperation(name: string, procedure: AnyTRPCProcedure, meta: Meta): Operation {
  const { openapi } = meta;
  const reject = (why: string): never => {
    throw new Error(`procedure ${name}: ${why}`);
  };
  if (!openapi?.operationId) return reject('a public procedure needs an operation id');
  if (!meta.scopes) return reject('a public procedure needs its scopes, an empty list for none');
  for (const scope of meta.scopes) if (!knownScopes.includes(scope)) reject(`unknown scope ${scope}`);
  const [input] = procedure._def.inputs as unknown as ObjectSchema[];
  if (!input?.shape) return reject('the input of a public procedure is an object schema');
  const type = procedure._def.type as 'query' | 'mutation';
  if ((openapi.method === 'GET') !== (type === 'query')) reject('a GET is a query and everything else a mutation');
  const pathKeys = [...openapi.path.matchAll(/\{([^}]+)\}/g)].map((match) => String(match[1]));
  const pathSchemas = new Map(
    pathKeys.map(
      (key) => [key, input.shape[key] ?? reject(`path parameter ${key} is missing from the input`)] as const,
    ),
  );
  const declaredKeys = Object.keys(input.shape);
  return {
    id: openapi.operationId,
    method: openapi.method,
    path: openapi.path,
    pathKeys,
    pathSchemas,
    declaredKeys,
    kind: type === 'query' ? 'query' : 'body',
    contentType: contentTypeOf(openapi.method),
    procedure: procedure as Invocable,
    procedureName: name,
    procedureType: type,
    input,
    meta,
    successStatus: meta.successStatus ?? 200,
    listSibling: undefined,
    isList: type === 'query' && declaredKeys.includes('limit'),
  };
}

function contentTypeOf(method: string): Operation['contentType'] {
  if (method === 'PATCH') return 'application/merge-patch+json';
  return method === 'POST' ? 'application/json' : undefined;
}

function rejectCollisions(operations: readonly Operation[]): void {
  const routes = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { method, path, id, procedureName } of operations) {
    const route = `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`;
    for (const [seen, key] of [
      [routes, route],
      [ids, id],
    ] as const) {
      const other = seen.get(key);
      if (other !== undefined) throw new Error(`procedures ${other} and ${procedureName} both claim ${key}`);
      seen.set(key, procedureName);
    }
  }
}

/** Returns the list at the beginning of a detail or write operation's path; undefined for a list. */
function siblingOf(operation: Operation, lists: ReadonlyMap<string, Operation>): Operation['listSibling'] {
  if (operation.isList) return undefined;
  const list = lists.get(operation.path.split('/{')[0] ?? '');
  return list && { path: list.path, keys: new Set(list.declaredKeys) };
}
