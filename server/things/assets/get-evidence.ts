import { z } from 'zod';
import {
  antennaKey,
  type AssetState,
  decide,
  decodeState,
  type Evidence,
  explain,
  portOf,
} from '../../locating/index.js';
import type { AntennaKey, LocationId, ReasonCode, SignatureEntry, Tally, Surroundings } from '../../locating/types.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import {
  type EvidenceAntennaRow,
  type EvidenceSignatureRow,
  type EvidenceTagRow,
  findAntennas,
  findDecision,
  findLocationNames,
  findSignatures,
  findTags,
} from './evidence-queries.js';
import { assetNotFound } from './procedure.js';
import { assetId } from './schemas.js';

/** The reads of one tag of an asset by one antenna during the present visit. */
export type EvidenceItem = {
  reader_id: number;
  reader_name: string;
  antenna: number;
  kind: 'zone' | 'portal';
  /** Null for an antenna without a location. */
  location_id: number | null;
  location_name: string | null;
  /** Null for a tag that was detached meanwhile, like `tag_value`. */
  tag_type: string | null;
  tag_value: string | null;
  /** Mean level; null without RSSI. */
  rssi_dbm: number | null;
  /** Recent reads of the visit: with very many reads, old ones no longer count. */
  reads: number;
  last_read_at: string;
  /**
   * How long the antenna has not read the tag although its reader sent messages; null while this time is not unusual.
   */
  silent_seconds: number | null;
};

/** The reason for an asset's location. */
export type EvidenceReason = {
  /** `in-transit`: according to its reads, it has left the location and is not at another location yet. */
  code: ReasonCode | 'in-transit';
  /** The previous location, or the location that the present one was compared with. */
  other_location_id: number | null;
  other_location_name: string | null;
};

/**
 * The evidence for an asset's location. Nulls and an empty list if the evidence is unknown, because the asset was never
 * seen, or not since an update of the service.
 */
export type AssetEvidence = {
  location_id: number | null;
  location_name: string | null;
  /** From 0 to 1. */
  confidence: number | null;
  /** The arrival at the location. */
  decided_at: string | null;
  reason: EvidenceReason | null;
  /**
   * The location to which one more read like the newest read would move the asset; null if the newest read was at its
   * location, or if more reads are needed.
   */
  next_location: { id: number; name: string } | null;
  /** The antennas of the location first, then the strongest antennas. */
  evidence: EvidenceItem[];
};

/** Explains the location of a live asset by the reads of each antenna. */
export const getEvidence = sessionProcedure('viewer')
  .input(z.strictObject(assetId))
  .query(async ({ ctx, input }): Promise<AssetEvidence> => {
    const { db } = ctx.services;
    const decision = await findDecision(db, ctx.orgId, input.asset_id);
    if (!decision) throw assetNotFound();
    const { location_id: locationId, located_since: since, locating } = decision;
    const state = decodeState(locating);
    const keys = [...new Set(state?.tallies.map(({ antenna }) => antenna))];
    const [antennas, tags, names] = await Promise.all([
      findAntennas(db, ctx.orgId, keys),
      findTags(db, ctx.orgId, [...new Set(state?.tallies.map(({ tag }) => tag))]),
      findLocationNames(db, ctx.orgId, [locationId, state?.previous ?? null]),
    ]);
    const known = {
      location_id: locationId,
      location_name: nameOf(locationId, names),
      decided_at: formatNullableTimestamp(since),
    };
    if (!state) return { ...known, confidence: null, reason: null, next_location: null, evidence: [] };
    const candidates = [locationId, ...antennas.map(({ location_id }) => location_id)].filter((id) => id !== null);
    const signatures = await findSignatures(db, ctx.orgId, [...new Set(candidates)]);
    const nowMs = Date.now();
    const byKey = new Map(antennas.map((row) => [antennaKey(row.reader_id, row.port), row]));
    const surroundings = surroundingsOf(byKey, signatures);
    const { confidence, evidence } = explain(state, surroundings, nowMs);
    const nextId = nextLocation(state, surroundings, nowMs);
    const next = antennas.find(({ location_id: id }) => id === nextId);
    const other = state.previous === 0 ? null : state.previous;
    return {
      ...known,
      confidence,
      reason: {
        code: state.isInTransit ? 'in-transit' : state.reason,
        other_location_id: other,
        other_location_name: nameOf(other, names),
      },
      next_location: nextId === null ? null : { id: nextId, name: next?.location_name ?? '' },
      evidence: evidence.flatMap((item) => viewItem(item, { state, byKey, tags, nowMs })),
    };
  });

/**
 * Returns the location to which one more read like the newest read would move the asset, according to the rule that
 * decides.
 */
function nextLocation(state: AssetState, surroundings: Surroundings, nowMs: number): LocationId | null {
  const tally = state.tallies.find(({ lastMs }) => lastMs >= state.lastSeenMs);
  if (!tally) return null;
  const location = surroundings.antenna(tally.antenna)?.location ?? 0;
  if (location === 0 || location === state.location) return null;
  const level = tally.newLevel ?? tally.level;
  const rssiDbm = level === null ? null : level / 100;
  const atMs = Math.max(nowMs, tally.lastMs + 1);
  const judgment = decide(state, { antenna: tally.antenna, tag: tally.tag, rssiDbm, atMs }, surroundings);
  return judgment.movedAtMs !== null && judgment.location === location ? location : null;
}

function nameOf(id: number | null, names: ReadonlyMap<number, string>): string | null {
  return id === null ? null : (names.get(id) ?? null);
}

/** Returns the inputs of the decision, for the antennas that received the asset and its candidate locations. */
function surroundingsOf(
  antennas: ReadonlyMap<AntennaKey, EvidenceAntennaRow>,
  signatures: readonly EvidenceSignatureRow[],
): Surroundings {
  type Learned = { visits: number; labels: number; antennas: AntennaKey[]; entries: Map<AntennaKey, SignatureEntry> };
  const learned = new Map<LocationId, Learned>();
  for (const { location_id: location, reader_id, antenna, reads, mean_dbm: meanDbm, variance, labels } of signatures) {
    const { visits, entries } = learned.get(location) ?? { visits: 0, entries: new Map<AntennaKey, SignatureEntry>() };
    entries.set(antennaKey(reader_id, antenna), { reads, meanDbm, variance });
    learned.set(location, { visits: Math.max(visits, reads), labels, entries, antennas: [...entries.keys()] });
  }
  const known = {
    antenna(key: AntennaKey) {
      const row = antennas.get(key);
      return row && { location: row.location_id ?? 0, kind: row.kind, rule: row.rule };
    },
    level: (key: AntennaKey) => antennas.get(key)?.level ?? undefined,
    signature: (location: LocationId, key: AntennaKey) => learned.get(location)?.entries.get(key),
    site: (location: LocationId) => learned.get(location),
    reportedUntilMs: (key: AntennaKey) => antennas.get(key)?.last_message_at ?? 0,
  };
  return known;
}

type ViewOptions = {
  state: AssetState;
  byKey: ReadonlyMap<AntennaKey, EvidenceAntennaRow>;
  tags: readonly EvidenceTagRow[];
  nowMs: number;
};

function viewItem(item: Evidence, { state, byKey, tags, nowMs }: ViewOptions): EvidenceItem[] {
  const antenna = byKey.get(item.antenna);
  if (!antenna) return [];
  const tag = tags.find(({ id }) => id === item.tag);
  const tally = state.tallies.find((each) => each.antenna === item.antenna && each.tag === item.tag);
  return [
    {
      reader_id: antenna.reader_id,
      reader_name: antenna.reader_name,
      antenna: portOf(item.antenna),
      kind: antenna.kind,
      location_id: antenna.location_id,
      location_name: antenna.location_name,
      tag_type: tag?.tag_type ?? null,
      tag_value: tag?.value ?? null,
      rssi_dbm: item.rssiDbm,
      reads: Math.max(1, Math.round(item.reads)),
      last_read_at: formatTimestamp(item.lastReadAtMs),
      silent_seconds: tally ? silentSeconds(tally, antenna, nowMs) : null,
    },
  ];
}

/** The number of gaps between reads after which an antenna counts as silent, and the shortest such time. */
const silentGaps = 3;
const silentMinMs = 30_000;

/** Returns for how long an antenna has been silent. A reader that has sent nothing is not evidence of silence. */
function silentSeconds(tally: Tally, antenna: EvidenceAntennaRow, nowMs: number): number | null {
  const reportedUntilMs = Math.min(antenna.last_message_at ?? 0, nowMs);
  const silentMs = reportedUntilMs - tally.lastMs;
  const usualMs = silentGaps * Math.max(tally.gapMs, antenna.level?.gapMs ?? 0);
  return silentMs > Math.max(usualMs, silentMinMs) ? Math.floor(silentMs / 1000) : null;
}
