import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Context } from './context.js';
import { ContractError, refusal } from './kernel/errors.js';
import type { Findable } from './kernel/reasons.js';
import { idMax } from './kernel/validation/fields.js';

/** How a procedure checks that the row of its path exists. */
export type RowCheck = {
  key: string;
  what: Findable;
  exists(db: Context['services']['db'], orgId: number, id: number): Promise<boolean>;
};

type Rejected = { ctx: Context & { orgId: number }; error: unknown; getRawInput(): Promise<unknown> };

/**
 * Reports a missing row before mistakes in the body (contract 8.9). Runs only if the input was rejected: the statement
 * of an accepted request detects a missing row itself.
 */
export async function reportMissingRow(check: RowCheck, { ctx, error, getRawInput }: Rejected): Promise<void> {
  if (!rejectsInput(error)) return;
  const id = ctx.path?.[check.key] ?? (await idInInput(getRawInput, check.key));
  if (id !== undefined && !(await check.exists(ctx.services.db, ctx.orgId, id))) {
    throw refusal('not_found', { what: check.what });
  }
}

function rejectsInput(error: unknown): boolean {
  const reason = error instanceof TRPCError && !(error instanceof ContractError) ? error.cause : error;
  return (
    reason instanceof z.core.$ZodError ||
    (reason instanceof ContractError && (reason.type === 'bad_request' || reason.type === 'validation_error'))
  );
}

async function idInInput(getRawInput: () => Promise<unknown>, key: string): Promise<number | undefined> {
  try {
    const input = (await getRawInput()) as Record<string, unknown> | null;
    const id = input?.[key];
    return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= idMax ? id : undefined;
  } catch {
    return undefined;
  }
}
