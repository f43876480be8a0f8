import type { Passage } from './decider.js';
import type { Visit } from './journeys.js';

/** A passage may be dated up to this much before the tag arrived at a portal or after it left. */
const earlyMs = 2000;
const lateMs = 5000;

/** A passage that happened, and when it may be reported. */
type TruePassage = Passage & { untilMs: number };

/**
 * A site with portals, or with a door between locations. With a door, each location is on a side, and 0 is on no side.
 */
export type PassageSite = { portals: ReadonlySet<number>; sideOf?: readonly number[] };

/** Counts reported passages: a true passage is found once; all other reports are false. */
export function matchPassages(
  visits: readonly (readonly Visit[])[],
  site: PassageSite & { startMs: number },
  passages: readonly Passage[],
): { truePassages: number; foundPassages: number; falsePassages: number } {
  let truePassages = 0;
  let foundPassages = 0;
  for (const [asset, ofAsset] of visits.entries()) {
    const left = passages.filter((passage) => passage.asset === asset);
    for (const passage of site.sideOf
      ? throughDoors(asset, ofAsset, site.sideOf)
      : throughPortals(asset, ofAsset, site)) {
      truePassages += 1;
      const found = left.findIndex(
        ({ location, atMs }) => location === passage.location && atMs >= passage.atMs && atMs < passage.untilMs,
      );
      if (found < 0) continue;
      foundPassages += 1;
      left.splice(found, 1);
    }
  }
  return { truePassages, foundPassages, falsePassages: passages.length - foundPassages };
}

function throughPortals(
  asset: number,
  visits: readonly Visit[],
  { portals, startMs }: PassageSite & { startMs: number },
): TruePassage[] {
  return visits
    .filter(({ location, fromMs }) => portals.has(location) && fromMs >= startMs)
    .map(({ location, fromMs, untilMs }) => ({ asset, location, atMs: fromMs - earlyMs, untilMs: untilMs + lateMs }));
}

/** A passage through a door is found if it is reported before the asset goes back. Its location is the new side. */
function throughDoors(asset: number, visits: readonly Visit[], sideOf: readonly number[]): TruePassage[] {
  const passages: TruePassage[] = [];
  let before: Visit | undefined;
  for (const visit of visits) {
    const side = sideOf[visit.location] ?? 0;
    if (side === 0) continue;
    const last = passages.at(-1);
    if (before && sideOf[before.location] !== side) {
      passages.push({ asset, location: side, atMs: before.untilMs - earlyMs, untilMs: visit.untilMs });
    } else if (last) last.untilMs = visit.untilMs;
    before = visit;
  }
  return passages;
}
