import type { Outputs } from '../api/trpc.js';

/** One scanned or manually chosen item. */
export type BatchRead = { value: string } | { assetId: number; name: string };

/** Where a batch was scanned. Its field in stored batches is `place`, which devices have in batches that wait. */
export type ScanLocation = { id: number; name: string };

export type SubmitResult = Outputs['scans']['submit']['results'][number];

/**
 * What was scanned at one location, on its way to the service. `id` is made once, with the batch, and is the submission's: however
 * often it is sent, it is the same submission.
 */
export type Batch = {
  id: string;
  owner: string;
  place: ScanLocation;
  /** Each item once, in the order of the scans. */
  reads: BatchRead[];
  /** When the last of them was scanned. */
  observedAt: string;
  /** The audit that is saved with it. */
  audit?: BatchAudit;
  /** Whether the service may have it although no answer came; it can then be sent again, but not changed. */
  maybeStored: boolean;
} & BatchState;

type BatchState =
  | { state: 'open' }
  | { state: 'waiting'; failures: number; problem?: string }
  | { state: 'refused'; problem: string }
  | { state: 'sent'; sentAt: string; results: SubmitResult[] };

/** When an audit was started, and the assets that were expected then. */
export type BatchAudit = { startedAt: string; expected: readonly number[] };

/** As many as the service takes in one submission. */
export const batchReadsMax = 1000;

/** As many as the service takes in one audit. */
export const auditReadsMax = 5000;

/** The same for two reads of one thing, as far as that shows without asking. */
export function readKey(read: BatchRead): string {
  return 'value' in read ? `v${read.value}` : `a${read.assetId}`;
}
