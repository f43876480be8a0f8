import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { isUnavailable } from '../database/faults.js';
import { ContractError, type FieldError, generalFaultDetail, serviceUnavailable, validationError } from '../errors.js';
import type { Failure } from './failure.js';

/** The stages of the order of checks (contract 8.7, 8.8, 8.11 to 8.14). */
const stages = ['query', 'path', 'presence', 'unknown', 'null', 'value'] as const;

type Stage = (typeof stages)[number];

/**
 * The inputs of the order of checks: whether the input came as query or as body, which keys were in the path, and the
 * declared order of the fields, if known.
 */
export type InputSources = { kind: 'query' | 'body'; pathKeys: readonly string[]; declaredKeys?: readonly string[] };

const unknownSources: InputSources = { kind: 'body', pathKeys: [] };

/** Unknown keys that are reported. A body can hold a hundred thousand, whose entries would be ten times as large as the body. */
const unknownKeysMax = 1000;

/**
 * Converts the issues of an input schema to `fields[]`: those of the first stage that has any, one entry per field, in
 * the declared order, and at most `unknownKeysMax` entries for unknown keys. Zod's issues become the contract's entries
 * only here.
 */
export function fieldErrorsOf(
  issues: readonly z.core.$ZodIssue[],
  sources: InputSources = unknownSources,
): FieldError[] {
  let keysLeft = unknownKeysMax;
  const entries = issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return entryOf(issue, sources);
    const keys = issue.keys.slice(0, keysLeft);
    keysLeft -= keys.length;
    return keys.map((key) => unknownKeyEntry(key, issue.path, sources));
  });
  const staged = inDeclaredOrder(entries, sources.declaredKeys);
  const first = stages.find((stage) => staged.some((entry) => entry.stage === stage));
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const { stage, error, key } of staged) {
    if (stage !== first || seen.has(key)) continue;
    seen.add(key);
    errors.push(error);
  }
  return errors;
}

/** An issue as Zod reports it. */
export type InputIssue = z.core.$ZodIssue;

type Entry = { stage: Stage; error: FieldError; key: string; root: string };

/** Undeclared keys come last, in the order in which they were sent. */
function inDeclaredOrder(entries: Entry[], declaredKeys: readonly string[] | undefined): Entry[] {
  if (!declaredKeys) return entries;
  const rank = (entry: Entry) => {
    const index = declaredKeys.indexOf(entry.root);
    return index === -1 ? declaredKeys.length : index;
  };
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

function entryOf(issue: z.core.$ZodIssue, sources: InputSources): Entry {
  const fieldPath = pathText(issue.path);
  const field = issue.path.findLast((part) => typeof part === 'string') ?? '';
  const failure = failureOf(issue);
  const params = issue.path.length > 1 ? { ...failure.params, path: fieldPath } : failure.params;
  return {
    key: fieldPath,
    root: String(issue.path[0] ?? ''),
    stage: stageOf(failure, issue.path, sources),
    error: {
      field,
      code: failure.code,
      message: failure.message.replaceAll('{f}', field),
      ...(params ? { params } : {}),
    },
  };
}

function unknownKeyEntry(key: string, parent: readonly PropertyKey[], sources: InputSources): Entry {
  const fieldPath = pathText([...parent, key]);
  const query = sources.kind === 'query';
  return {
    key: fieldPath,
    root: String([...parent, key][0]),
    stage: query ? 'query' : 'unknown',
    error: {
      field: key,
      code: 'unknown_field',
      message: query ? `unknown parameter: ${key}` : `unknown field "${key}" in request body`,
      ...(parent.length > 0 ? { params: { path: fieldPath } } : {}),
    },
  };
}

function stageOf(failure: Failure, path: readonly PropertyKey[], sources: InputSources): Stage {
  if (sources.pathKeys.includes(String(path[0]))) return 'path';
  return sources.kind === 'query' ? 'query' : (failure.stage ?? 'value');
}

/**
 * Our own fields raise `custom` issues that contain a failure; Zod raises others only for an input that is not an
 * object.
 */
function failureOf(issue: z.core.$ZodIssue): Failure {
  if (issue.code === 'custom' && issue.params?.['failure']) return issue.params['failure'] as Failure;
  return { code: 'invalid_value', message: issue.message };
}

/** `tags[0].tag_type` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`))
    .join('');
}

/** When to retry after the database was too busy or unavailable. */
const retryAfterSeconds = 2;

/** Returns the contract's error for anything that a procedure threw; unknown errors become an `internal_error`. */
export function contractErrorOf(error: unknown, sources?: InputSources): ContractError {
  if (error instanceof ContractError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof ContractError) return error.cause;
    if (error.cause instanceof z.core.$ZodError) return validationError(fieldErrorsOf(error.cause.issues, sources));
    if (error.code === 'NOT_FOUND') return new ContractError('not_found', error.message);
    if (error.code === 'BAD_REQUEST' || error.code === 'PARSE_ERROR')
      return new ContractError('bad_request', error.message);
    if (error.code === 'PAYLOAD_TOO_LARGE') return new ContractError('payload_too_large', error.message);
    if (error.code === 'UNSUPPORTED_MEDIA_TYPE') return new ContractError('unsupported_media_type', error.message);
    if (error.code === 'METHOD_NOT_SUPPORTED') return new ContractError('method_not_allowed', error.message);
  }
  if (isUnavailable(error)) return serviceUnavailable('The service is too busy', retryAfterSeconds, error);
  return new ContractError('internal_error', generalFaultDetail, { cause: error });
}
