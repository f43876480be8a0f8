import type { Api } from '../api/trpc.js';
import type { Batch, SubmitResult } from './batch.js';

/** A request that takes longer than this is taken for lost; the same submission is then sent again. */
const submitMaxMs = 30_000;

/** Submits a batch under its own id, so that it counts once however often it is sent. */
export async function submitBatch(api: Api, { id, place, reads, observedAt }: Batch): Promise<SubmitResult[]> {
  const input = {
    submission_id: id,
    location_id: place.id,
    observed_at: observedAt,
    reads: reads.map((read) => ('value' in read ? { value: read.value } : { asset_id: read.assetId })),
  };
  const options = { signal: AbortSignal.timeout(submitMaxMs), context: { alone: true } };
  return (await api.scans.submit.mutate(input, options)).results;
}
