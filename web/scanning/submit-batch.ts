import type { Api } from '../api/trpc.js';
import { type Batch, type BatchRead, isScanBatch, type ReportBatch, type SubmitResult } from './batch.js';

/** A request that takes longer than this counts as lost; the same submission is then sent again. */
const submitMaxMs = 30_000;

/**
 * Submits a batch, as an audit or a reported problem if it is one, under its own id, so that it counts once however
 * often it is sent.
 */
export async function submitBatch(api: Api, batch: Batch): Promise<SubmitResult[]> {
  const options = { signal: AbortSignal.timeout(submitMaxMs), context: { alone: true } };
  if (!isScanBatch(batch)) {
    await api.assetProblems.report.mutate(reportOf(batch), options);
    return [];
  }
  const { place, placeTags, audit } = batch;
  const reads = batch.reads.map(submittedRead);
  const before = placeTags && { location_values: [...placeTags] };
  if (place.is) {
    const container = place.is === 'container' ? { asset_id: place.id } : null;
    return (await api.containers.submit.mutate({ ...timesOf(batch), container, reads, ...before }, options)).results;
  }
  const input = { ...timesOf(batch), location_id: place.id, reads };
  const answer = audit
    ? api.audits.save.mutate({ ...input, started_at: audit.startedAt, expected: [...audit.expected] }, options)
    : api.scans.submit.mutate({ ...input, ...before }, options);
  return (await answer).results;
}

function timesOf({ id, observedAt }: Batch) {
  return { submission_id: id, observed_at: observedAt, sent_at: new Date().toISOString() };
}

function submittedRead(read: BatchRead) {
  return 'value' in read ? { value: read.value } : { asset_id: read.assetId };
}

function reportOf(batch: ReportBatch) {
  const [about] = batch.reads;
  return { ...timesOf(batch), asset_id: about && 'assetId' in about ? about.assetId : 0, text: batch.report.text };
}
