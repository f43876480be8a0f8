import { t } from '@lingui/core/macro';
import { notMovedText } from '../../scanning/not-moved.js';
import type { QueueSnapshot } from '../../scanning/scan-queue.js';
import {
  type Batch,
  isScanBatch,
  type ScanBatch,
  type ScanLocation,
  type ScanPlace,
  type SubmitResult,
} from '../../scanning/batch.js';

/** A scan of an asset at a location, as far as both were known when it was scanned. */
export type Placing = {
  value: string;
  /** Undefined if this device did not know what the value is. */
  asset?: { where: ScanLocation | null };
  /** Undefined if an unknown tag before it may be a location. */
  to?: ScanPlace;
};

export const notAssigned = t`Not assigned to an asset. It will be listed in Unknown tags.`;

/** What the service has answered about a scan, and the batch in which it was sent. */
type SentScan = { result: SubmitResult; batch: ScanBatch; isUndone: boolean };

/** Returns the answer about the last scan of a value; undefined if it is not sent yet. */
export function sentScanOf(
  value: string,
  { open, waiting, refused, sent }: Pick<QueueSnapshot, 'open' | 'waiting' | 'refused' | 'sent'>,
): SentScan | undefined {
  const indexIn = ({ reads }: Batch) => reads.findIndex((read) => 'value' in read && read.value === value);
  if ([...(open ? [open] : []), ...waiting, ...refused].some((batch) => indexIn(batch) >= 0)) return undefined;
  const batch = sent.filter(isScanBatch).find((one) => indexIn(one) >= 0);
  if (batch?.state !== 'sent') return undefined;
  const index = indexIn(batch);
  const result = batch.results[index];
  return result && { result, batch, isUndone: batch.undone?.includes(index) ?? false };
}

/** Says where a scanned asset will be moved, or where it was moved once the service has answered. */
export function placingText({ asset, to }: Placing, sent: SentScan | undefined): string {
  if (sent) return sentText(sent);
  if (!asset) return t`Will be identified when sent`;
  if (!to) return t`Will be recorded when sent`;
  if (to.is) return to.is === 'out' ? t`Will be taken out` : t`Will be put into ${to.name}`;
  const { where } = asset;
  if (where === null) return t`Will be recorded at ${to.name}`;
  return where.id === to.id ? t`Stays at ${to.name}` : t`Will be moved from ${where.name} to ${to.name}`;
}

function sentText({ result, batch, isUndone }: SentScan): string {
  if (result.status === 'unknown') return notAssigned;
  if (result.status === 'location') return t`This is a location. The scans after it were recorded there.`;
  if (result.status !== 'placed') return '';
  const { from, at = batch.place, stays_at: staysAt } = result;
  if (staysAt !== undefined) return notMovedText(staysAt);
  if (!from) return t`Recorded at ${at.name}`;
  return isUndone ? undoneText(from) : t`Moved from ${from.name} to ${at.name}`;
}

export function undoneText(from: { name: string }): string {
  return t`Undone: back at ${from.name}`;
}
