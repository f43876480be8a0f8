import type { Outputs } from '../api/trpc.js';

/** One scanned or manually chosen item. */
export type BatchRead = { value: string } | { assetId: number; name: string };

/**
 * The location where a batch was scanned. Its field is called `place`, since devices have stored batches with this
 * name.
 */
export type ScanLocation = { id: number; name: string };

export type SubmitResult = Outputs['scans']['submit']['results'][number];

/**
 * The scans at one location, to be sent to the service. `id` is generated once, with the batch, and is the id of the
 * submission: however often the batch is sent, it is the same submission.
 */
export type Batch = {
  id: string;
  owner: string;
  place: ScanLocation;
  /** Each item once, in the order of the scans. */
  reads: BatchRead[];
  /** When the last item was scanned. */
  observedAt: string;
  /** The audit that is saved with the batch. */
  audit?: BatchAudit;
  /**
   * Whether the service may have stored the batch although no answer came. The batch can then be sent again, but not
   * changed.
   */
  maybeStored: boolean;
} & BatchState;

type BatchState =
  | { state: 'open' }
  | { state: 'waiting'; failures: number; problem?: string }
  | { state: 'refused'; problem: string }
  | { state: 'sent'; sentAt: string; results: SubmitResult[] };

/** When an audit was started, and the assets that were expected then. */
export type BatchAudit = { startedAt: string; expected: readonly number[] };

/** The most reads that the service accepts in one submission. */
export const batchReadsMax = 1000;

/** The most reads that the service accepts in one audit. */
export const auditReadsMax = 5000;

/** Returns a key that is equal for two reads of the same item, as far as this is known without asking the service. */
export function readKey(read: BatchRead): string {
  return 'value' in read ? `v${read.value}` : `a${read.assetId}`;
}
