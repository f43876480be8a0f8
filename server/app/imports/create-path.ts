import type { Author } from '../../people/activity/author.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { insertLocation } from '../../things/locations/queries.js';
import { rejectTooDeep } from '../../things/locations/tree-queries.js';
import { namesOf } from './location-paths.js';

/**
 * Creates the locations of a path that there are none of, and returns the id of the last one. The path begins at the only location with
 * its first name, wherever it is, else at the top level.
 */
export async function createPath(
  tx: TransactionClient,
  orgId: number,
  { path, author }: { path: string; author: Author },
): Promise<number> {
  const names = namesOf(path);
  let parentId: number | null = null;
  for (const [index, name] of (names.length === 0 ? [path] : names).entries()) {
    const known: number | undefined = await findNamed(tx, orgId, { name, parentId, isAnywhere: index === 0 });
    if (known === undefined && parentId !== null) await rejectTooDeep(tx, orgId, { parentId });
    const id: number | undefined =
      known ?? (await insertLocation(tx, orgId, { location: { name }, parentId, author }))?.id;
    if (id === undefined) throw new Error('a location without a key was not created');
    parentId = id;
  }
  return parentId ?? 0;
}

type Wanted = { name: string; parentId: number | null; isAnywhere: boolean };

async function findNamed(
  tx: TransactionClient,
  orgId: number,
  { name, parentId, isAnywhere }: Wanted,
): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT l.id
      FROM locations l
     WHERE l.org_id = ${orgId} AND l.deleted_at IS NULL AND fold_case(l.name) = fold_case(${name}::text)
       AND (${isAnywhere} OR l.parent_id IS NOT DISTINCT FROM ${parentId}::int)
     ORDER BY l.parent_id IS NOT NULL, l.id
     LIMIT 2`;
  const [first, second] = rows;
  return isAnywhere && second ? undefined : first?.id;
}
