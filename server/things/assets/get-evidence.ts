import { z } from 'zod';
import {
  antennaKey,
  decodeState,
  type Tally,
  explain,
  portOf,
  type ReasonCode,
  type Standing,
} from '../../locating/index.js';
import type { Placement } from '../../kernel/database/placements.js';
import { formatTimestamp } from '../../kernel/time.js';
import { sessionProcedure } from '../../trpc.js';
import {
  type EvidenceAntennaRow,
  type EvidenceTagRow,
  findAntennas,
  findDecision,
  findLocationNames,
  findPlacement,
  findTags,
} from './evidence-queries.js';
import { assetNotFound } from './procedure.js';
import { assetId } from './schemas.js';

/** What an antenna has received of one tag of an asset. */
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
  /** Level of the last seconds; null without RSSI. */
  rssi_dbm: number | null;
  last_read_at: string;
};

/** A location that was heard lately, by its loudest antenna. */
export type EvidenceLocation = EvidenceItem & {
  /** By how many dB it is ahead of the present location; below zero if it is behind, null for the present location. */
  ahead_db: number | null;
  /** By how many dB it has to be ahead to move the asset there in `needed_seconds`; null for the present location. */
  needed_db: number | null;
  /** Null for the present location. */
  needed_seconds: number | null;
  /** Whether the learned pictures of both locations decide more than the loudness alone. */
  is_by_picture: boolean;
};

/** The reason for an asset's location. */
export type EvidenceReason = {
  /** `with_container`: it moved with the container of its placement; `with_contents`: its contents were read there. */
  code: ReasonCode | 'with_container' | 'with_contents';
  /** The previous location. */
  other_location_name: string | null;
};

/**
 * The evidence for an asset's location. Nulls and empty lists if the evidence is unknown, because the asset was never
 * seen, or not since an update of the service.
 */
export type AssetEvidence = {
  location_id: number | null;
  location_name: string | null;
  /** From 0 to 1; null also for an asset that was placed, until antennas decide. */
  confidence: number | null;
  reason: EvidenceReason | null;
  /** Who placed it there, if no scan or read decided. */
  placement: Placement | null;
  /** Whether a person's scan or placement holds: an antenna has to receive the asset 6 dB better than any did in the ten seconds after it. */
  is_held_by_scan: boolean;
  /** The present location first, then those that are furthest ahead. */
  locations: EvidenceLocation[];
  /** The antennas that received it, the newest read first. */
  evidence: EvidenceItem[];
};

/** Explains the location of a live asset by the reads of each antenna. */
export const getEvidence = sessionProcedure('viewer')
  .input(z.strictObject(assetId))
  .query(async ({ ctx, input }): Promise<AssetEvidence> => {
    const { db, locating } = ctx.services;
    const decision = await findDecision(db, ctx.orgId, input.asset_id);
    if (!decision) throw assetNotFound();
    const { location_id: locationId, locating: text } = decision;
    const state = decodeState(text);
    const tallies = state?.tallies ?? [];
    const [antennas, tags, names, placement] = await Promise.all([
      findAntennas(db, ctx.orgId, [...new Set(tallies.map(({ antenna }) => antenna))]),
      findTags(db, ctx.orgId, [...new Set(tallies.map(({ tag }) => tag))]),
      findLocationNames(db, ctx.orgId, [locationId, state?.previous ?? null]),
      state && placedReasons.has(state.reason)
        ? findPlacement(db, ctx.orgId, { assetId: input.asset_id, atMs: state.settledMs })
        : null,
      locating.prepare([ctx.orgId]),
    ]);
    const known = {
      location_id: locationId,
      location_name: nameOf(locationId, names),
    };
    if (!state) {
      const unknown = { confidence: null, reason: null, placement: null, is_held_by_scan: false };
      return { ...known, ...unknown, locations: [], evidence: [] };
    }
    const byKey = new Map(antennas.map((row) => [antennaKey(row.reader_id, row.port), row]));
    const view = { byKey, tags, nowMs: Date.now() };
    const { confidence, standings } = explain(state, locating.siteOf(ctx.orgId).surroundings, view.nowMs);
    const isHeld = state.scanDb !== null;
    return {
      ...known,
      confidence: placement && (isHeld || state.reason === 'same') ? null : confidence,
      reason: {
        code: codeOf(state.reason, placement),
        other_location_name: nameOf(state.previous || null, names),
      },
      placement,
      is_held_by_scan: isHeld,
      locations: standings.flatMap((standing) => viewStanding(standing, view)),
      evidence: tallies.toSorted((one, two) => two.lastMs - one.lastMs).flatMap((tally) => viewTally(tally, view)),
    };
  });

/** The reasons that a location has which was placed: by a person, or with a container, which antennas know nothing of. */
const placedReasons: ReadonlySet<ReasonCode> = new Set(['handheld', 'same']);

function codeOf(code: ReasonCode, placement: Placement | null): EvidenceReason['code'] {
  if (placement?.with_contents === true) return 'with_contents';
  return placement?.container ? 'with_container' : code;
}

function nameOf(id: number | null, names: ReadonlyMap<number, string>): string | null {
  return id === null ? null : (names.get(id) ?? null);
}

type ViewOptions = {
  byKey: ReadonlyMap<number, EvidenceAntennaRow>;
  tags: readonly EvidenceTagRow[];
  nowMs: number;
};

function viewStanding({ tally, aheadDb, need, isByPicture }: Standing, options: ViewOptions): EvidenceLocation[] {
  return viewTally(tally, options).map((item) => ({
    ...item,
    ahead_db: need && Math.round(aheadDb),
    needed_db: need && Math.round(need.db),
    needed_seconds: need && Math.round(need.ms / 100) / 10,
    is_by_picture: isByPicture,
  }));
}

function viewTally(tally: Tally, { byKey, tags, nowMs }: ViewOptions): EvidenceItem[] {
  const antenna = byKey.get(tally.antenna);
  if (!antenna) return [];
  const tag = tags.find(({ id }) => id === tally.tag);
  return [
    {
      reader_id: antenna.reader_id,
      reader_name: antenna.reader_name,
      antenna: portOf(tally.antenna),
      kind: antenna.kind,
      location_id: antenna.location_id,
      location_name: antenna.location_name,
      tag_type: tag?.tag_type ?? null,
      tag_value: tag?.value ?? null,
      rssi_dbm: tally.level === null ? null : tally.level / 100,
      last_read_at: formatTimestamp(Math.min(tally.lastMs, nowMs)),
    },
  ];
}
