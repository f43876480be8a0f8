import type { Outputs } from '../../../api/trpc.js';
import type { BatchRead, SubmitResult } from '../../../scanning/batch.js';
import { looseForm, tagTypes } from '../../../scanning/loose-form.js';
import type { Resolution } from '../../../scanning/resolver.js';

/** An asset that is expected. Audits that were stored by a former version of the app do not have where it belongs. */
export type Expected = Omit<Outputs['locations']['expected']['assets'][number], 'belongs_to'> & {
  belongs_to?: string | null;
};

/** A value that was scanned, or an asset that was ticked by hand. */
export type Sighting = { value: string } | { assetId: number };

/** An audit of one location, as this device stores it until it is saved or discarded. */
export type Audit = {
  /** Made of the owner and the location, so there is one audit at a time. */
  id: string;
  owner: string;
  /** The name of this field in stored audits on devices. */
  place: { id: number; name: string };
  startedAt: string;
  /** The assets that were expected when the audit was started. */
  expected: Expected[];
  sightings: Sighting[];
};

export type Unexpected = {
  key: string;
  value: string;
  asset: { id: number; name: string };
  whereName: string | null;
  belongsTo: string | null;
};

export type AuditResult = {
  found: Expected[];
  missing: Expected[];
  /** Assets that are at another location according to their last position. */
  unexpected: Unexpected[];
  /** Tags that are not attached to anything. */
  unknown: string[];
  /** Tags that the service has not looked up yet. */
  unanswered: string[];
};

/**
 * Returns a function that finds an expected asset by a scanned value, by the rules of a submission: first as stored,
 * then by normal form.
 */
export function createExpectedIndex(expected: readonly Expected[]): (value: string) => Expected | undefined {
  const exact = new Map<string, Expected>();
  const loose = new Map<string, Expected>();
  for (const asset of expected) {
    for (const { tag_type, value } of asset.tags) {
      exact.set(`${tag_type} ${value}`, asset);
      loose.set(`${tag_type} ${looseForm(tag_type, value)}`, asset);
    }
  }
  return (value) => {
    for (const type of tagTypes) {
      const asset = exact.get(`${type} ${value}`);
      if (asset) return asset;
    }
    for (const type of tagTypes) {
      const asset = loose.get(`${type} ${looseForm(type, value)}`);
      if (asset) return asset;
    }
    return undefined;
  };
}

/**
 * The judgment of a sighting: expected here, an asset from another location, a location's tag, an unknown tag, or not
 * looked up yet.
 */
export type Judgment =
  | { kind: 'found'; asset: Expected }
  | { kind: 'unexpected'; asset: { id: number; name: string }; whereName: string | null; belongsTo: string | null }
  | { kind: 'location'; name: string }
  | { kind: 'unknown' }
  | { kind: 'unanswered' };

export function judge(asset: Expected | undefined, resolution: Resolution | undefined): Judgment {
  if (asset) return { kind: 'found', asset };
  if (resolution === undefined || resolution === 'unanswered') return { kind: 'unanswered' };
  const [match] = resolution.matches;
  if (!match) return { kind: 'unknown' };
  if (match.kind === 'location') return { kind: 'location', name: match.name };
  return {
    kind: 'unexpected',
    asset: { id: match.id, name: match.name },
    whereName: match.where?.name ?? null,
    belongsTo: match.belongs_to ?? null,
  };
}

/**
 * Compares the expected assets with the sightings. Each asset counts once, however many of its tags were seen.
 * Sightings are in reverse order, the latest first.
 */
export function compare(
  { expected, sightings }: Pick<Audit, 'expected' | 'sightings'>,
  resolutions: ReadonlyMap<string, Resolution>,
): AuditResult {
  const byValue = createExpectedIndex(expected);
  const byId = new Map(expected.map((asset) => [asset.id, asset]));
  const found = new Map<number, Expected>();
  const unexpected = new Map<number, Unexpected>();
  const unknown: string[] = [];
  const unanswered: string[] = [];
  for (const sighting of sightings) {
    if ('assetId' in sighting) {
      const asset = byId.get(sighting.assetId);
      if (asset) found.set(asset.id, asset);
      continue;
    }
    const { value } = sighting;
    const judgment = judge(expectedOf(byValue(value), resolutions.get(value), byId), resolutions.get(value));
    if (judgment.kind === 'found') found.set(judgment.asset.id, judgment.asset);
    if (judgment.kind === 'unexpected') {
      const { asset, whereName, belongsTo } = judgment;
      unexpected.set(asset.id, { key: `a${asset.id}`, value, asset, whereName, belongsTo });
    }
    if (judgment.kind === 'unknown') unknown.push(value);
    if (judgment.kind === 'unanswered') unanswered.push(value);
  }
  return {
    found: [...found.values()].reverse(),
    missing: expected.filter(({ id }) => !found.has(id)),
    unexpected: [...unexpected.values()].reverse(),
    unknown: unknown.reverse(),
    unanswered: unanswered.reverse(),
  };
}

/** If a tag was attached to an expected asset after the audit began, only the service knows it. */
function expectedOf(
  asset: Expected | undefined,
  resolution: Resolution | undefined,
  byId: ReadonlyMap<number, Expected>,
): Expected | undefined {
  if (asset || resolution === undefined || resolution === 'unanswered') return asset;
  const [match] = resolution.matches;
  return match?.kind === 'asset' ? byId.get(match.id) : undefined;
}

/** Assets that an audit did not move, by id, with the location where each was seen later; null for none. */
export type NotMoved = ReadonlyMap<number, { name: string } | null>;

export function notMovedOf(results: readonly SubmitResult[]): NotMoved {
  return new Map(
    results.flatMap((result) =>
      result.status === 'placed' && result.stays_at !== undefined ? [[result.asset_id, result.stays_at]] : [],
    ),
  );
}

/** Returns the reads of an audit that are sent: everything that was seen except tags of locations. */
export function readsOf({ expected, sightings }: Audit, resolutions: ReadonlyMap<string, Resolution>): BatchRead[] {
  const names = new Map(expected.map(({ id, name }) => [id, name]));
  return sightings.flatMap((sighting): BatchRead[] => {
    if ('assetId' in sighting) return [{ assetId: sighting.assetId, name: names.get(sighting.assetId) ?? '' }];
    const resolution = resolutions.get(sighting.value);
    const isLocation =
      resolution !== undefined && resolution !== 'unanswered' && resolution.matches[0]?.kind === 'location';
    return isLocation ? [] : [{ value: sighting.value }];
  });
}
