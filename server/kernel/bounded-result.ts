import { jsonSizeOf } from './json-size.js';

type Call = { ctx: { reserve?: ((bytes: number) => void) | undefined }; type: 'query' | 'mutation' | 'subscription' };

/**
 * Counts the result of a query as a part of the answer, if the size of the answer is limited (`Context.reserve`). The
 * result of a change is small.
 *
 * @throws ContractError if the answer becomes too large
 */
export function boundResult<Result extends { ok: boolean; data?: unknown }>(
  { ctx, type }: Call,
  result: Result,
): Result {
  if (ctx.reserve && type === 'query' && result.ok) ctx.reserve(jsonSizeOf(result.data));
  return result;
}
