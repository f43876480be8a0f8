import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { z } from 'zod';
import { authorOf } from './people/activity/author.js';
import { authorize, authorizePerson, type Needs } from './people/auth/authorize.js';
import type { Role } from './people/auth/scopes.js';
import { boundResult } from './kernel/bounded-result.js';
import type { Context } from './context.js';
import type { Reason } from './kernel/reasons.js';
import {
  type ContractError,
  errorTable,
  type ErrorType,
  type FieldError,
  generalFaultDetail,
} from './kernel/errors.js';
import { type RowCheck, reportMissingRow } from './missing-row.js';
import { contractErrorOf } from './kernel/validation/input-failure.js';

/** The deprecation of a route, and when it stops working (contract 11). */
export type Deprecation = { sunset: Date };

/** Annotations of a procedure, from which the gateway builds its routes and the description. */
export type Meta = Needs & {
  openapi?: NonNullable<OpenApiMeta['openapi']>;
  /** 200 by default. */
  successStatus?: 200 | 201 | 204;
  /** Names of the description's schemas of the request and response bodies. */
  schemas?: { request?: string; response?: string };
  /** Whether the operation can answer with a conflict (409). */
  conflicts?: true;
  deprecation?: Deprecation;
};

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ error, shape, ctx, type }) {
      const known = contractErrorOf(error, { kind: type === 'query' ? 'query' : 'body', pathKeys: [] });
      return {
        ...shape,
        message: known.message,
        data: {
          ...shape.data,
          // A fault of the database is an internal error to tRPC, which takes the status of the response from here.
          code: known.code,
          httpStatus: errorTable[known.type].status,
          stack: undefined,
          error: errorData(known, ctx?.requestId),
        },
      };
    },
  });

export const { router, mergeRouters, createCallerFactory } = t;

/** The error as the app reads it: the error object (contract 7.1) without the members that only HTTP has. */
export type ErrorData = {
  type: ErrorType;
  title: string;
  detail: string;
  fields?: readonly FieldError[];
  reason?: Reason;
  request_id?: string;
};

function errorData(error: ContractError, requestId: string | undefined): ErrorData {
  return {
    type: error.type,
    title: errorTable[error.type].title,
    detail: error.type === 'internal_error' ? generalFaultDetail : error.message,
    ...(error.fields ? { fields: error.fields } : {}),
    ...(error.reason ? { reason: error.reason } : {}),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
}

/** A procedure for everybody, signed in or not. */
export const openProcedure = t.procedure.use(async ({ ctx, type, next }) => {
  const result = boundResult({ ctx, type }, await next());
  if (!result.ok && ctx.actor.kind === 'none' && contractErrorOf(result.error).type === 'rate_limited') {
    await ctx.delayRejection?.();
  }
  return result;
});

/** A procedure for callers with every scope in its `meta.scopes`; sets `ctx.orgId` and `ctx.author`. */
export const scopedProcedure = t.procedure.use(async ({ ctx, meta, type, next }) => {
  const { authorized } = ctx;
  const actor = authorized && authorized.needs === meta ? authorized.actor : authorize(ctx.actor, meta ?? {});
  return boundResult({ ctx, type }, await next({ ctx: { actor, orgId: actor.orgId, author: authorOf(actor) } }));
});

/** Returns a scoped procedure about one row. A missing row is reported before mistakes in the body. */
export function rowProcedure(check: RowCheck) {
  return scopedProcedure.use(async ({ ctx, getRawInput, next }) => {
    const result = await next();
    if (!result.ok) await reportMissingRow(check, { ctx, error: result.error, getRawInput });
    return result;
  });
}

/**
 * Returns a procedure for people signed in with at least the given role. Rejects API keys, as the procedure belongs to
 * the app.
 */
export function sessionProcedure(needed: Role) {
  return t.procedure.use(async ({ ctx, type, next }) => {
    const actor = authorizePerson(ctx.actor, needed);
    return boundResult({ ctx, type }, await next({ ctx: { actor, orgId: actor.orgId, author: authorOf(actor) } }));
  });
}

/**
 * Declares a procedure's output for the compiler and the description without validating it at run time: the parser that
 * tRPC runs passes the value on. The tests validate every response against the description instead.
 */
export function described<T extends z.ZodType>(schema: T): T {
  return Object.assign(Object.create(schema) as T, { parseAsync: async (value: unknown) => value as z.output<T> });
}
