import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { isUnavailable } from '../database/faults.js';
import {
  ContractError,
  type FieldError,
  fieldErrorsMax,
  generalFaultDetail,
  serviceUnavailable,
  validationError,
} from '../errors.js';
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

/** The first entries of `fields[]`, at most `fieldErrorsMax`, and the total number of entries. */
export type FieldErrors = { fields: FieldError[]; count: number };

/**
 * Converts the issues of an input schema to `fields[]`: the issues of the first stage that has any, one entry per field, in
 * the declared order, and at most `unknownKeysMax` entries for unknown keys. Zod's issues become the contract's entries
 * only here.
 */
export function fieldErrorsOf(
  issues: readonly z.core.$ZodIssue[],
  sources: InputSources = unknownSources,
): FieldErrors {
  const staged = inDeclaredOrder(
    issues.map((issue) => stagedIssue(issue, sources)),
    sources.declaredKeys,
  );
  const first = stages.find((stage) => staged.some((entry) => entry.stage === stage));
  const seen = new Set<string>();
  const fields: FieldError[] = [];
  let count = 0;
  for (const { stage, issue } of staged) {
    if (stage !== first) continue;
    const space = fieldErrorsMax - fields.length;
    if (issue.code === 'unrecognized_keys') {
      // One issue has all unknown keys of an object. Only those that are reported become entries.
      count += issue.keys.length;
      fields.push(...issue.keys.slice(0, space).map((key) => unknownKeyError(key, issue.path, sources)));
      continue;
    }
    const fieldPath = pathText(issue.path);
    if (seen.has(fieldPath)) continue;
    seen.add(fieldPath);
    count += 1;
    if (space > 0) fields.push(fieldErrorOf(issue, fieldPath));
  }
  return { fields, count };
}

/** An issue as Zod reports it. */
export type InputIssue = z.core.$ZodIssue;

/** An issue with its stage, and the key of the input that it is in. */
type StagedIssue = { issue: z.core.$ZodIssue; stage: Stage; root: string };

/**
 * Sorts issues in the declared order of their keys. Undeclared keys come last, in the order in which they were sent.
 */
function inDeclaredOrder(staged: StagedIssue[], declaredKeys: readonly string[] | undefined): StagedIssue[] {
  if (!declaredKeys) return staged;
  const rank = ({ root }: StagedIssue) => {
    const index = declaredKeys.indexOf(root);
    return index === -1 ? declaredKeys.length : index;
  };
  return staged.toSorted((a, b) => rank(a) - rank(b));
}

function stagedIssue(issue: z.core.$ZodIssue, sources: InputSources): StagedIssue {
  if (issue.code === 'unrecognized_keys') {
    const stage = sources.kind === 'query' ? 'query' : 'unknown';
    return { issue, stage, root: String(issue.path[0] ?? issue.keys[0]) };
  }
  return { issue, stage: stageOf(failureOf(issue), issue.path, sources), root: String(issue.path[0] ?? '') };
}

function fieldErrorOf(issue: z.core.$ZodIssue, fieldPath: string): FieldError {
  const field = issue.path.findLast((part) => typeof part === 'string') ?? '';
  const failure = failureOf(issue);
  const params = issue.path.length > 1 ? { ...failure.params, path: fieldPath } : failure.params;
  return {
    field,
    code: failure.code,
    message: failure.message.replaceAll('{f}', field),
    ...(params ? { params } : {}),
    ...(failure.reason ? { reason: failure.reason } : {}),
  };
}

function unknownKeyError(key: string, parent: readonly PropertyKey[], { kind }: InputSources): FieldError {
  return {
    field: key,
    code: 'unknown_field',
    message: kind === 'query' ? `unknown parameter: ${key}` : `unknown field "${key}" in request body`,
    ...(parent.length > 0 ? { params: { path: pathText([...parent, key]) } } : {}),
  };
}

function stageOf(failure: Failure, path: readonly PropertyKey[], sources: InputSources): Stage {
  if (sources.pathKeys.includes(String(path[0]))) return 'path';
  return sources.kind === 'query' ? 'query' : (failure.stage ?? 'value');
}

/**
 * Returns the failure of an issue. Our own fields raise `custom` issues that contain one; Zod raises others only for an
 * input that is not an object.
 */
function failureOf(issue: z.core.$ZodIssue): Failure {
  if (issue.code === 'custom' && issue.params?.['failure']) return issue.params['failure'] as Failure;
  return { code: 'invalid_value', message: issue.message };
}

/** Returns a path as text, such as `tags[0].tag_type`. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`))
    .join('');
}

/** Returns the `validation_error` for the issues of an input schema. */
export function inputError(issues: readonly z.core.$ZodIssue[], sources?: InputSources): ContractError {
  const { fields, count } = fieldErrorsOf(issues, sources);
  return validationError(fields, count);
}

/** When to retry after the database was too busy or unavailable. */
const retryAfterSeconds = 2;

/** Returns the contract's error for anything that a procedure threw; unknown errors become an `internal_error`. */
export function contractErrorOf(error: unknown, sources?: InputSources): ContractError {
  if (error instanceof ContractError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof ContractError) return error.cause;
    if (error.cause instanceof z.core.$ZodError) return inputError(error.cause.issues, sources);
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
