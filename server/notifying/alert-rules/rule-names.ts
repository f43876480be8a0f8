import type { Queries } from '../../kernel/database/client.js';
import { eventAsset, eventLocation } from '../events/describe-event.js';
import { readSubjects } from '../events/subjects.js';
import type { RuleRow } from './queries.js';

/** The names of what rules refer to, for display. Deleted assets and locations keep their names. */
export type RuleNames = {
  assets: { id: number; external_key: string; name: string; is_deleted: boolean }[];
  /** `path` has the names from the root of the tree down to the location itself. */
  locations: { id: number; external_key: string; name: string; path: string[]; is_deleted: boolean }[];
};

/** A list of rules has this many names of assets and of locations for each rule. */
export const namesPerRuleMax = 3;

/** Reads the names of the assets and locations that rules name, the first `perRule` of each rule. */
export async function readRuleNames(
  db: Queries,
  orgId: number,
  { rules, perRule = Number.POSITIVE_INFINITY }: { rules: readonly Pick<RuleRow, 'condition'>[]; perRule?: number },
): Promise<RuleNames> {
  const idsOf = (kind: 'assets' | 'locations') => [
    ...new Set(rules.flatMap(({ condition }) => (condition[kind].ids ?? []).slice(0, perRule))),
  ];
  const [assetIds, locationIds] = [idsOf('assets'), idsOf('locations')];
  const refer = (ids: readonly number[]) => ids.map((id) => ({ orgId, id }));
  const references = { assets: refer(assetIds), locations: refer(locationIds), readers: [], users: [] };
  const { assets, locations } = await readSubjects(db, references, []);
  const live = await findLive(db, orgId, { assetIds, locationIds });
  return {
    assets: Array.from(assets.values(), (row) => ({ ...eventAsset(row), is_deleted: !live.assets.has(row.id) })),
    locations: Array.from(locations.values(), (row) => ({
      ...eventLocation(row),
      is_deleted: !live.locations.has(row.id),
    })),
  };
}

async function findLive(
  db: Queries,
  orgId: number,
  { assetIds, locationIds }: { assetIds: readonly number[]; locationIds: readonly number[] },
): Promise<{ assets: Set<number>; locations: Set<number> }> {
  if (assetIds.length + locationIds.length === 0) return { assets: new Set(), locations: new Set() };
  const rows = await db.$queryRaw<{ id: number; is_asset: boolean }[]>`
    SELECT a.id, true AS is_asset FROM assets a
     WHERE a.org_id = ${orgId}::int AND a.id = ANY(${assetIds}::int[]) AND a.deleted_at IS NULL
    UNION ALL
    SELECT l.id, false FROM locations l
     WHERE l.org_id = ${orgId}::int AND l.id = ANY(${locationIds}::int[]) AND l.deleted_at IS NULL`;
  const idsOf = (isAsset: boolean) => new Set(rows.filter((row) => row.is_asset === isAsset).map(({ id }) => id));
  return { assets: idsOf(true), locations: idsOf(false) };
}
