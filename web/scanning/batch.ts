import type { Outputs } from '../api/trpc.js';

/**
 * One scanned or manually chosen item. A value is unknown if the service could not be asked and this device did not know
 * it: it may name a location, where the reads after it were scanned.
 */
export type BatchRead = { value: string; isUnknown?: true } | { assetId: number; name: string };

/**
 * The location where a batch was scanned. Its field is called `place`, since devices have stored batches with this
 * name.
 */
export type ScanLocation = { id: number; name: string };

/**
 * Where a batch was scanned. In a container, its reads are put into the container, an asset; `out` is no place: its reads are
 * taken out of their containers.
 */
export type ScanPlace = ScanLocation & { is?: 'container' | 'out' };

export function isSamePlace(one: ScanPlace | undefined, other: ScanPlace): boolean {
  return one?.id === other.id && one.is === other.is;
}

export type SubmitResult =
  | Outputs['scans']['submit']['results'][number]
  | Outputs['containers']['submit']['results'][number];

type BatchBase = {
  /** Generated once, with the batch, as the id of the submission: however often it is sent, it is the same one. */
  id: string;
  owner: string;
  /** Each item once, in the order of the scans; the asset of a reported problem. */
  reads: BatchRead[];
  /** When the last item was scanned, or the person confirmed the location. */
  observedAt: string;
  /**
   * Whether the service may have stored the batch although no answer came. The batch can then be sent again, but not
   * changed.
   */
  maybeStored: boolean;
};

/** The scans at one place, to be sent to the service. */
export type ScanBatch = BatchBase & {
  place: ScanPlace;
  /** The unknown values before the reads: if one of them names a location, the reads were scanned there. */
  placeTags?: readonly string[];
  /** The audit that is saved with the batch. */
  audit?: BatchAudit;
  report?: undefined;
} & BatchState;

/** A problem of an asset, to be reported to the service. */
export type ReportBatch = BatchBase & {
  report: { text: string };
  place?: undefined;
  placeTags?: undefined;
  audit?: undefined;
} & BatchState;

export type Batch = ScanBatch | ReportBatch;

export function isScanBatch(batch: Batch): batch is ScanBatch {
  return batch.report === undefined;
}

type BatchState =
  | { state: 'open' }
  | { state: 'waiting'; failures: number; problem?: string }
  | { state: 'refused'; problem: string }
  | {
      state: 'sent';
      sentAt: string;
      results: SubmitResult[];
      /** The indexes of the results that were undone. */
      undone?: number[];
    };

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
