import { z } from 'zod';
import {
  type FieldFault,
  type FieldReason,
  type FieldReasonName,
  type FieldReasonParams,
  fieldFault,
  type PlainFieldReason,
} from '../field-reasons.js';

// docs/decisions/0002-fields-around-one-check.md explains why fields do not use the checks of Zod.

/**
 * Why a field was rejected; `{f}` in the message stands for its name. Presence and nulls are checked before values. A mistake that
 * only programs make can be without a reason.
 */
export type Failure = Omit<FieldFault, 'reason'> & { reason?: FieldReason; stage?: 'presence' | 'null' };

const failed = Symbol('failed');

type Failed = { [failed]: Failure };

export function fail(name: PlainFieldReason, params?: undefined, stage?: Failure['stage']): Failed;
export function fail<Name extends FieldReasonName>(
  name: Name,
  params: FieldReasonParams<Name>,
  stage?: Failure['stage'],
): Failed;
/** Returns the failure for a reason, which a field's check returns instead of a value. */
export function fail(name: FieldReasonName, params?: unknown, stage?: Failure['stage']): Failed {
  return { [failed]: { ...fieldFault(name, params as never), ...(stage && { stage }) } };
}

export function isFailed(result: unknown): result is Failed {
  return typeof result === 'object' && result !== null && failed in result;
}

/** Returns the issue of Zod by which a schema reports a failure; `path` is within the value of the schema. */
export function issueOf(failure: Failure, input: unknown, path: PropertyKey[] = []) {
  return { code: 'custom', input, path, params: { failure }, message: failure.message } as const;
}

/** Reads one value: returns the parsed value, or why it is rejected. A missing key is passed as undefined. */
export type Read<Output, Value = unknown> = (value: Value) => Output | Failed;

/**
 * Returns a Zod schema for one check, so that every failure has the contract's own code and wording. `openapi` is the
 * field's description; `Input` is the type for clients.
 */
export function field<Output, Input = Output>(
  read: Read<Output>,
  openapi: Record<string, unknown>,
): z.ZodType<Output, Input> {
  const schema = z
    .unknown()
    .transform((value, context) => {
      const result = read(value);
      if (!isFailed(result)) return result;
      context.issues.push(issueOf(result[failed], value));
      return z.NEVER;
    })
    .meta(describedAs(openapi));
  return schema as unknown as z.ZodType<Output, Input>;
}

/** Sets the OpenAPI 3.0 description of a schema, instead of the one that Zod would derive. */
export function describedAs(openapi: Record<string, unknown>): { override: Record<string, unknown> } {
  return { override: openapi };
}

/** Returns the failure that `fail` made, for checks of more than one field. */
export function failureIn(result: Failed): Failure {
  return result[failed];
}
