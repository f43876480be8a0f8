import type { Api } from '../api/trpc.js';
import type { Batch, SubmitResult } from './batch.js';

/** A request that takes longer than this counts as lost; the same submission is then sent again. */
const submitMaxMs = 30_000;

/** Submits a batch, as an audit if it is one, under its own id, so that it counts once however often it is sent. */
export async function submitBatch(api: Api, { id, place, reads, observedAt, audit }: Batch): Promise<SubmitResult[]> {
  const input = {
    submission_id: id,
    location_id: place.id,
    observed_at: observedAt,
    sent_at: new Date().toISOString(),
    reads: reads.map((read) => ('value' in read ? { value: read.value } : { asset_id: read.assetId })),
  };
  const options = { signal: AbortSignal.timeout(submitMaxMs), context: { alone: true } };
  const answer = audit
    ? api.audits.save.mutate({ ...input, started_at: audit.startedAt, expected: [...audit.expected] }, options)
    : api.scans.submit.mutate(input, options);
  return (await answer).results;
}
