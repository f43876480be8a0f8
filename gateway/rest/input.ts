import type { IncomingMessage } from 'node:http';
import {
  ContractError,
  type FieldError,
  type FieldErrors,
  fieldErrorsOf,
  inputError,
  type InputIssue,
  validationError,
} from '../../server/index.js';
import { mediaTypeOf } from '../http-body.js';
import { JsonError, parseJson } from '../json/parse-json.js';
import { parseQuery } from '../query-string.js';
import type { Operation } from './operations.js';

/** Parses a query for a procedure's input: one value as text, several as a list. */
export function readQuery(rawQuery: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  for (const [key, values] of parseQuery(rawQuery)) query[key] = values.length === 1 ? (values[0] ?? '') : values;
  return query;
}

/**
 * Rejects parameters that an operation does not accept, together with the other errors of its query. A write accepts no
 * parameters; the message for a list's parameter names the list (contract 4).
 *
 * If the operation has path parameters, checks the whole query here, since errors of the query come before errors of
 * the path.
 */
export function rejectParameters(operation: Operation, query: Record<string, unknown>): void {
  const unknown = Object.keys(query).filter((key) => !takes(operation, key));
  if (unknown.length === 0 && operation.pathKeys.length === 0) return;
  const declared = operation.kind === 'query' ? queryFailures(operation, query) : noFailures;
  const failures = [...declared.fields, ...unknown.map((key) => unknownParameterError(operation, key))];
  if (failures.length > 0) throw validationError(failures, declared.count + unknown.length);
}

function takes(operation: Operation, key: string): boolean {
  return operation.kind === 'query' && operation.declaredKeys.includes(key) && !operation.pathKeys.includes(key);
}

const noFailures: FieldErrors = { fields: [], count: 0 };

function queryFailures(operation: Operation, query: Record<string, unknown>): FieldErrors {
  const known = Object.fromEntries(Object.entries(query).filter(([key]) => takes(operation, key)));
  const result = operation.input.safeParse(known);
  if (result.success) return noFailures;
  const issues = (result.error.issues as InputIssue[]).filter(
    (issue) => !operation.pathKeys.includes(String(issue.path[0])),
  );
  return fieldErrorsOf(issues, operation);
}

function unknownParameterError({ listSibling }: Operation, key: string): FieldError {
  if (!listSibling?.keys.has(key)) return { field: key, code: 'unknown_field', message: `unknown parameter: ${key}` };
  const message =
    key === 'include_deleted'
      ? `include_deleted is not supported here; use GET ${listSibling.path}?external_key=<key>&include_deleted=true`
      : `${key} is not supported here; it is a parameter of GET ${listSibling.path}`;
  return { field: key, code: 'invalid_context', message };
}

/** Parses the path parameters by the procedure's own schemas; ids out of range never reach the database. */
export function readPath(operation: Operation, parameters: Readonly<Record<string, string>>): Record<string, number> {
  const values: Record<string, number> = {};
  const issues: InputIssue[] = [];
  for (const [key, schema] of operation.pathSchemas) {
    const result = schema.safeParse(parameters[key]);
    if (result.success) values[key] = result.data as number;
    else
      issues.push(...(result.error.issues as InputIssue[]).map((issue) => ({ ...issue, path: [key, ...issue.path] })));
  }
  if (issues.length > 0) throw inputError(issues, operation);
  return values;
}

/** Rejects every media type except the operation's own; parameters such as a charset do not matter (contract 5.1). */
export function requireContentType(operation: Operation, request: IncomingMessage): void {
  if (mediaTypeOf(request) === operation.contentType) return;
  throw new ContractError('unsupported_media_type', contentTypeDetail(operation));
}

export function contentTypeDetail(operation: Operation): string {
  const suffix = operation.method === 'PATCH' ? ' on PATCH operations' : '';
  return `Content-Type must be ${operation.contentType}${suffix}`;
}

/**
 * Returns a body merged with the path parameters, as the procedure expects it. A key of the body with the name of a
 * path parameter is an unknown key like any other; it never replaces the path parameter.
 */
export function readBodyInput(
  operation: Operation,
  bytes: Uint8Array,
  path: Record<string, number>,
): Record<string, unknown> {
  const body = parseObject(operation, bytes);
  const shadowing = operation.pathKeys.filter((key) => Object.hasOwn(body, key));
  for (const key of Object.keys(path)) define(body, key, path[key]);
  if (shadowing.length === 0) return body;
  const result = operation.input.safeParse(body);
  const issues = result.success ? [] : (result.error.issues as InputIssue[]);
  const unknown = { code: 'unrecognized_keys', keys: shadowing, path: [], message: '' } as unknown as InputIssue;
  throw inputError([...issues, unknown], { ...operation, pathKeys: [] });
}

function define(body: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(body, key, { value, enumerable: true, configurable: true, writable: true });
}

function parseObject(operation: Operation, bytes: Uint8Array): Record<string, unknown> {
  const value = parse(bytes);
  if (value === null && operation.method === 'PATCH') {
    throw new ContractError('bad_request', 'Request body must be a JSON object (RFC 7396)');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ContractError('bad_request', 'Request body could not be decoded as the expected type');
  }
  return value as Record<string, unknown>;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, 'metadata');
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const detail = error.kind === 'depth' ? 'Request body is nested too deeply' : 'Request body is not valid JSON';
    throw new ContractError('bad_request', detail, { cause: error });
  }
}
