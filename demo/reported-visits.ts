import { type Api, inParallel } from './api.js';
import type { Placement } from './location-score.js';
import type { SetUp } from './setup.js';

const pageSize = 100;
/** Requests under way at a time. */
const width = 8;

type ReportedVisit = {
  location: { id: number } | null;
  arrived_at: string;
  /** When the service received the deciding read; null if the service no longer knows it. */
  decided_at: string | null;
};

type VisitPage = { data: ReportedVisit[]; next_before: string | null };

type VisitSource = {
  api: Api;
  /** The token of a session. */
  token: string;
  setUp: SetUp;
  dayAt: (realMs: number) => number;
};

/**
 * Reads from the visits of all assets what the service reported and when, by the index of the thing.
 *
 * A visit is dated at its first read, but the service reports it only once a read has decided it; the instant of that
 * decision counts here. A visit that was inserted into the history later, before the visit reported at that time, was
 * never reported.
 *
 * @throws ApiError
 */
export async function readPlacements(source: VisitSource): Promise<Map<number, Placement[]>> {
  const placements = new Map<number, Placement[]>();
  await inParallel([...source.setUp.thingOfAsset], width, async ([asset, thing]) => {
    placements.set(thing, placementsOf(await readVisits(asset, source), source));
  });
  return placements;
}

/** The visits of an asset, newest first. */
async function readVisits(asset: number, { api, token }: VisitSource): Promise<ReportedVisit[]> {
  const visits: ReportedVisit[] = [];
  let before: string | null | undefined;
  while (before !== null) {
    const input = { asset_id: asset, limit: pageSize, ...(before !== undefined && { before }) };
    const page: VisitPage = await api.query<VisitPage>('assets.visits', input, token);
    visits.push(...page.data);
    before = page.next_before;
  }
  return visits;
}

function placementsOf(
  visits: readonly ReportedVisit[],
  { setUp, dayAt }: Pick<VisitSource, 'setUp' | 'dayAt'>,
): Placement[] {
  const decided = visits
    .map(({ location, arrived_at: arrival, decided_at: decision }) => ({
      arrivedMs: Date.parse(arrival),
      decidedMs: Date.parse(decision ?? arrival),
      zone: location === null ? null : (setUp.zoneOfLocation.get(location.id) ?? null),
    }))
    .sort((one, other) => one.decidedMs - other.decidedMs || one.arrivedMs - other.arrivedMs);
  const placements: Placement[] = [];
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const [i, { arrivedMs, decidedMs, zone }] of decided.entries()) {
    if (arrivedMs < latestMs) continue;
    latestMs = arrivedMs;
    // If one message decides several visits, only the last one is ever reported.
    if (decided[i + 1]?.decidedMs === decidedMs) continue;
    if (placements.at(-1)?.zone !== zone) placements.push({ atMs: dayAt(decidedMs), zone });
  }
  return placements;
}
