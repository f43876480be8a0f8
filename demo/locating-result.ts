import type { Visit } from './journey.js';
import type { Reported } from './knowledge.js';
import { type LocationScore, type Placement, scoreAsset, sumOfScores, zoneAt } from './location-score.js';
import { isCovered } from './readers.js';
import { kinds, type Kind, type Thing } from './things.js';

/** The score of all assets, and of each kind of assets. */
export type ScoreTable = { all: LocationScore; byKind: ReadonlyMap<Kind, LocationScore> };

/** How well the service located the assets, compared with the rule that the latest read decides. */
export type LocatingResult = {
  /** By the visits that the service recorded; undefined if they could not be read because the day was ended early. */
  service: ScoreTable | undefined;
  latestRead: ScoreTable;
  /** How many locations in the reports were compared with the visits, and how many of them agreed. */
  agreement: { compared: number; agreed: number };
};

export type ScoredDay = {
  things: readonly Thing[];
  journeys: readonly (readonly Visit[])[];
  /** How much of the day was played. */
  untilMs: number;
};

/** Scores the reported placements of all assets, given by their indexes. */
export function scoreAssets(
  { things, journeys, untilMs }: ScoredDay,
  placementsOf: (thing: number) => readonly Placement[],
): ScoreTable {
  const scores = new Map<Kind, LocationScore[]>();
  for (const [thing, { kind, tags }] of things.entries()) {
    if (kind === 'foreign tag') continue;
    const tagTypes = tags.map(({ type }) => type);
    const score = scoreAsset({
      visits: journeys[thing] ?? [],
      placements: placementsOf(thing),
      isWithinReach: (zone) => isCovered(zone, tagTypes),
      untilMs,
    });
    scores.set(kind, [...(scores.get(kind) ?? []), score]);
  }
  const byKind = new Map(
    kinds.flatMap((kind) => {
      const ofKind = scores.get(kind);
      return ofKind ? [[kind, sumOfScores(ofKind)] as const] : [];
    }),
  );
  return { all: sumOfScores([...byKind.values()]), byKind };
}

/** A report of the service with the instant of the day at which it was read. */
export type TimedReport = { atMs: number; reported: ReadonlyMap<number, Reported> };

/** Compares the locations in reports with the placements at the same instants. */
export function agreementOf(
  reports: readonly TimedReport[],
  placementsOf: (thing: number) => readonly Placement[],
): LocatingResult['agreement'] {
  let compared = 0;
  let agreed = 0;
  for (const { atMs, reported } of reports) {
    for (const [thing, { zone }] of reported) {
      compared += 1;
      if (zoneAt(placementsOf(thing), atMs) === zone) agreed += 1;
    }
  }
  return { compared, agreed };
}
