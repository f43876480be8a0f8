import { Prisma } from '../../../generated/prisma/client.js';
import { sharedLockStatement } from '../../kernel/database/locks.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import type { EventInterests } from '../../notifying/events/interests.js';
import type { LocatingKnowledge } from '../../tracking/scans/locating-knowledge.js';
import { placeByHand } from '../../tracking/scans/place-by-hand.js';
import { lockLiveAssets, submissionInstants } from '../../tracking/scans/submit-queries.js';
import { isOnlyPlaced } from '../../kernel/database/placements.js';
import { isPlace, type PlaceColumn } from './columns.js';
import { createPath } from './create-path.js';
import { matchLocations, notOneLocation } from './match-locations.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';

/** What places assets. They hold their location as after a scan, but were not seen. */
export type Placing = { locating: LocatingKnowledge; interests: Pick<EventInterests, 'wants'> };

/** Locations that one file can create. */
const newLocationsMax = 1000;

/** Assets that are placed at once. */
const placedMax = 1000;

const placeTexts = { text: 'place', id: 'place_id', found: 'places' };

function placeColumnOf({ columns }: Job): PlaceColumn | undefined {
  return columns.find(isPlace);
}

/**
 * Finds the locations at which the file places assets, and notes which assets are elsewhere. Returns the rows whose location
 * cannot be found, or is one of several with that name.
 */
export async function matchPlaces(tx: TransactionClient, job: Job): Promise<Problem[]> {
  const column = placeColumnOf(job);
  if (column === undefined) return [];
  const { orgId } = job;
  await matchLocations(tx, orgId, placeTexts);
  await tx.$executeRaw`
    UPDATE staged s
       SET is_moved = (p.location_id = s.place_id) IS NOT TRUE
      FROM staged o
      LEFT JOIN asset_positions p ON p.org_id = ${orgId} AND p.asset_id = o.id
     WHERE o.line = s.line AND s.place IS NOT NULL`;
  const isUnknown = column === 'place_at_or_create' ? Prisma.sql`s.places > 1` : Prisma.sql`s.places <> 1`;
  const rows = await tx.$queryRaw<{ line: number; place: string; places: number }[]>`
    SELECT s.line, s.place, s.places FROM staged s
     WHERE s.is_valid AND s.place IS NOT NULL AND ${isUnknown}
     ORDER BY s.line`;
  const problems: Problem[] = rows.map(({ line, place, places }) => ({
    line,
    column,
    message: notOneLocation(column, place, places),
  }));
  const [extra] = await tx.$queryRaw<{ line: number }[]>`
    SELECT min(s.line)::int AS line FROM staged s WHERE s.is_valid AND s.place IS NOT NULL AND s.places = 0
    HAVING count(DISTINCT s.place) > ${newLocationsMax}`;
  if (extra && column === 'place_at_or_create') {
    problems.push({ line: extra.line, column, message: `a file can create at most ${newLocationsMax} locations` });
  }
  return problems;
}

/**
 * Returns a notice for each location at which the file places assets, with the line of the first one, and a warning for assets that
 * were seen elsewhere.
 */
export async function noticesOfPlaces(tx: TransactionClient, job: Job): Promise<Problem[]> {
  const column = placeColumnOf(job);
  if (column === undefined) return [];
  const rows = await tx.$queryRaw<
    { line: number; count: number; place: string; key: string | null; was_seen: boolean }[]
  >`
    SELECT min(s.line) AS line, count(*)::int AS count, (array_agg(s.place ORDER BY s.line))[1] AS place, l.external_key AS key, w.was_seen
      FROM staged s
     CROSS JOIN LATERAL (
       SELECT EXISTS (SELECT FROM asset_positions p
                       WHERE p.org_id = ${job.orgId} AND p.asset_id = s.id AND p.location_id IS NOT NULL AND NOT ${isOnlyPlaced(job.orgId)}
                      OFFSET 0) AS was_seen) w
      LEFT JOIN locations l ON l.org_id = ${job.orgId} AND l.id = s.place_id
     WHERE s.is_valid AND s.is_moved AND s.places ${column === 'place_at' ? Prisma.sql`= 1` : Prisma.sql`<= 1`}
     GROUP BY l.external_key, CASE WHEN l.id IS NULL THEN fold_case(s.place) END, w.was_seen
     ORDER BY 1`;
  return rows.map(({ line, count, place, key, was_seen: wasSeen }) => {
    if (wasSeen) {
      return {
        line,
        column,
        message: `${count} assets that were seen elsewhere are placed at ${key ?? place}`,
        isWarning: true,
      };
    }
    const message =
      key === null ? `location "${place}" is created for ${count} assets` : `${count} assets are placed at ${key}`;
    return { line, column, message, isNotice: true };
  });
}

/**
 * Places the assets of an applied file, and creates the locations that there are none of. The caller has written the rows.
 */
export async function placeAssets(tx: TransactionClient, job: Job, { locating, interests }: Placing): Promise<void> {
  if (placeColumnOf(job) === undefined) return;
  const { orgId, author } = job;
  await tx.$queryRaw(sharedLockStatement('tree', orgId));
  const missing = await tx.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT ON (fold_case(place)) place AS name FROM staged WHERE is_moved AND places = 0 ORDER BY fold_case(place), line`;
  for (const { name } of missing) {
    const madeId = await createPath(tx, orgId, { path: name, author });
    await tx.$executeRaw`
      UPDATE staged SET place_id = ${madeId}::int WHERE places = 0 AND fold_case(place) = fold_case(${name}::text)`;
  }
  const groups = await tx.$queryRaw<{ locationId: number; assetIds: number[] }[]>`
    SELECT place_id AS "locationId", array_agg(id ORDER BY id) AS "assetIds"
      FROM (SELECT place_id, coalesce(id, new_id) AS id,
                   (row_number() OVER (PARTITION BY place_id ORDER BY coalesce(id, new_id)) - 1) / ${placedMax} AS part
              FROM staged WHERE is_moved AND place_id IS NOT NULL) placed
     GROUP BY place_id, part
     ORDER BY place_id, part`;
  const { nowMs } = await submissionInstants(tx, 0);
  for (const { locationId, assetIds: named } of groups) {
    const assetIds = await lockLiveAssets(tx, orgId, named);
    await placeByHand(tx, orgId, {
      assetIds,
      locationId,
      observedAtMs: nowMs,
      receivedAtMs: nowMs,
      locating,
      unknown: [],
      outbound: { interests, userId: userIdOf(job) },
      placement: { fileName: job.fileName },
    });
  }
}

/** Imports are started by people: an API key has no session. */
export function userIdOf({ author }: Job): number {
  return Number(author.actor.slice('user:'.length));
}
