import { t } from '@lingui/core/macro';
import type { Outputs } from '../../api/trpc.js';
import { placementText } from '../../ui/seen-when.js';
import { decibelText } from '../../ui/level.js';
import { durationText } from '../../ui/times.js';

export type AssetEvidence = Outputs['assets']['evidence'];
export type EvidenceLocation = AssetEvidence['locations'][number];

/** Returns the confidence as a word and in percent, such as `High (97%)`. */
export function confidenceText(confidence: number): string {
  const word = confidence >= 0.9 ? t`High` : confidence >= 0.6 ? t`Medium` : t`Low`;
  return `${word} (${Math.round(confidence * 100)}%)`;
}

/** Returns why the asset is at its location, as one sentence; empty if no reason is known. */
export function reasonText({ reason, placement, location_name: location }: AssetEvidence): string {
  if (placement) return `${placementText(placement)}.`;
  const here = location ?? t`no location`;
  const before = reason?.other_location_name;
  switch (reason?.code) {
    case 'first':
      return t`First seen at ${here}.`;
    case 'newest':
      return t`The newest read alone decided.`;
    case 'moved':
      return before
        ? t`An antenna at ${here} heard it better than those at ${before} for long enough.`
        : t`An antenna at ${here} heard it best for long enough.`;
    case 'picture':
      return before
        ? t`What all antennas heard fits the learned picture of ${here} better than that of ${before}.`
        : t`What all antennas heard fits the learned picture of ${here} best.`;
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

/** Returns what would move the asset, as one sentence; empty if no other location has heard it. */
export function nextText({ locations, placement, is_held_by_scan: isHeld }: AssetEvidence): string {
  if (isHeld && placement) {
    return t`This holds until an antenna elsewhere hears it 6 dB better than any did in the ten seconds after it was placed.`;
  }
  if (isHeld) {
    return t`The scan holds until an antenna elsewhere hears it 6 dB better than any did in the ten seconds after the scan.`;
  }
  const [next] = locations.filter(({ needed_seconds: seconds }) => seconds !== null);
  if (!next) return '';
  const name = next.location_name ?? t`No location`;
  const db = next.needed_db ?? 0;
  return t`To move it, ${name} has to be ${db} dB ahead for ${secondsText(next.needed_seconds ?? 0)}, or less for longer.`;
}

/** Returns by how much a location is ahead of the present one or behind it; empty for the present one. */
export function aheadText({ ahead_db: db, is_by_picture: isByPicture }: EvidenceLocation): string {
  if (db === null) return '';
  const by = decibelText(Math.abs(db));
  if (isByPicture) return db > 0 ? t`${by} ahead, by its picture` : t`${by} behind, by its picture`;
  return db > 0 ? t`${by} ahead` : t`${by} behind`;
}

/** Short times have tenths of a second. */
function secondsText(seconds: number): string {
  return seconds < 10 ? t`${(Math.round(10 * seconds) / 10).toString()} s` : durationText(1000 * seconds);
}
