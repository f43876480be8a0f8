import { ContractError } from './errors.js';
import { jsonSizeOf } from './json-size.js';

type Reserve = (bytes: number) => void;

/**
 * Runs a procedure and counts its result as a part of the answer, where that has bounds (`Context.reserve`). Of bytes
 * that the procedure has reserved itself, only those beyond count. What a failed call has reserved is released.
 *
 * @throws ContractError if the answer becomes too large
 */
export function boundedResult<Result extends { ok: boolean; data?: unknown }>(
  { ctx: { reserve }, type }: { ctx: { reserve?: Reserve | undefined }; type: 'query' | 'mutation' | 'subscription' },
  run: (reserve: Reserve | undefined) => Promise<Result>,
): Promise<Result> {
  return reserve && type !== 'subscription' ? runBounded(reserve, type, run) : run(undefined);
}

async function runBounded<Result extends { ok: boolean; data?: unknown }>(
  reserve: Reserve,
  type: 'query' | 'mutation',
  run: (reserve: Reserve) => Promise<Result>,
): Promise<Result> {
  let reserved = 0;
  const release = (): void => {
    reserve(-reserved);
    reserved = 0;
  };
  const count = (bytes: number): void => {
    try {
      reserve(bytes);
      reserved += bytes;
    } catch (error) {
      // At once, so that other calls of the request have this space.
      release();
      throw error;
    }
  };
  const result = await run(count);
  if (!result.ok) {
    release();
    return result;
  }
  try {
    count(Math.max(0, jsonSizeOf(result.data) - reserved));
  } catch (error) {
    if (type === 'query') throw error;
    throw new ContractError('bad_request', 'The call was made, but its answer is too large');
  }
  return result;
}
