import { z } from 'zod';
import type { FieldErrorCode } from '../errors.js';

/** Why a field was refused; `{f}` in the message stands for its name. Presence and nulls are judged before values. */
export type Failure = {
  code: FieldErrorCode;
  message: string;
  params?: Record<string, unknown>;
  stage?: 'presence' | 'null';
};

const failed = Symbol('failed');

type Failed = { [failed]: Failure };

/** What a field's check returns instead of a value. */
export function fail(code: FieldErrorCode, message: string, rest: Omit<Failure, 'code' | 'message'> = {}): Failed {
  return { [failed]: { code, message, ...rest } };
}

export function isFailed(result: unknown): result is Failed {
  return typeof result === 'object' && result !== null && failed in result;
}

/** Reads one value: the value the business works with, or why it is refused. An absent key arrives as undefined. */
export type Read<Output> = (value: unknown) => Output | Failed;

/**
 * A Zod schema around one check, so that every failure has the contract's own code and wording. `openapi` is what the
 * description says of the field; `Input` is what a typed client sends.
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
      context.issues.push({
        code: 'custom',
        input: value,
        params: { failure: result[failed] },
        message: result[failed].message,
      });
      return z.NEVER;
    })
    .meta(describedAs(openapi));
  return schema as unknown as z.ZodType<Output, Input>;
}

/** What the description says of a schema, in the words of OpenAPI 3.0 instead of those Zod would derive. */
export function describedAs(openapi: Record<string, unknown>): { override: Record<string, unknown> } {
  return { override: openapi };
}

/** The failure that `fail` made, for checks that look at more than one field. */
export function failureIn(result: Failed): Failure {
  return result[failed];
}
