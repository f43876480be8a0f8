import { t } from '@lingui/core/macro';
import type { Outputs } from '../../api/trpc.js';
import { levelText } from '../../ui/level.js';
import { quantity } from '../../ui/quantity.js';
import { durationText } from '../../ui/times.js';

export type AssetEvidence = Outputs['assets']['evidence'];
export type EvidenceItem = AssetEvidence['evidence'][number];

/** Returns the confidence as a word and in percent, such as `High (97%)`. */
export function confidenceText(confidence: number): string {
  const word = confidence >= 0.9 ? t`High` : confidence >= 0.6 ? t`Medium` : t`Low`;
  return `${word} (${Math.round(confidence * 100)}%)`;
}

/** Returns why the asset is at its location, as one sentence; empty if no reason is known. */
export function reasonText({ reason, location_name: location }: AssetEvidence): string {
  const here = location ?? t`no location`;
  const before = reason?.other_location_name;
  switch (reason?.code) {
    case 'first':
      return t`First seen at ${here}.`;
    case 'newest':
      return t`The newest read alone decided.`;
    case 'moved':
      return before ? t`The reads fit ${here} better than ${before}.` : t`The reads fit ${here} best.`;
    case 'corrected':
      return t`All reads together fit ${here} better than ${before ?? t`any other location`}.`;
    case 'in-transit':
      return t`It seems to have left ${here}: antennas receive it only weakly. ${here} is shown until it arrives elsewhere.`;
    case 'portal':
      return t`Passing through ${here}.`;
    case 'handheld':
      return t`Scanned at ${here} with a handheld.`;
    case 'same':
      return t`It was at ${here} before the service was updated, and nothing has moved it since.`;
    default:
      return '';
  }
}

/** Returns to which location one more read would move the asset; empty if it would not. */
export function nextText({ next_location: next }: AssetEvidence): string {
  return next === null ? '' : t`One more read at ${next.name} would move it there.`;
}

/**
 * Returns what the antennas of each location received from the asset, such as `Aisle C: −58 dBm, 45 reads; Dock 1:
 * silent for 4 min`. If a location has several antennas, the first one counts, since the list is in the order of
 * importance.
 */
export function comparisonText(evidence: readonly EvidenceItem[]): string {
  const byLocation = new Map<number | null, EvidenceItem>();
  for (const item of evidence) if (!byLocation.has(item.location_id)) byLocation.set(item.location_id, item);
  const parts = Array.from(byLocation.values(), (item) => {
    const name = item.location_name ?? t`No location`;
    if (item.silent_seconds !== null) return t`${name}: silent for ${durationText(item.silent_seconds * 1000)}`;
    const level = item.rssi_dbm === null ? '' : `${levelText(item.rssi_dbm)}, `;
    return `${name}: ${level}${quantity(item.reads, 'read')}`;
  });
  return parts.join('; ');
}
