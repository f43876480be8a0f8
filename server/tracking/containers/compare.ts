import type { Queries } from '../../kernel/database/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import type { ContainerName } from '../../kernel/database/containers.js';
import { assetNotFound } from '../../things/assets/procedure.js';
import { sessionProcedure } from '../../trpc.js';
import { resolveSubmittedReads } from '../scans/submit-queries.js';
import { nameOfContainer } from './change-queries.js';
import { compareInput } from './schemas.js';

/** What a person scanned of a container, compared with what is in it. `unassigned` has values that are attached to nothing. */
export type Comparison = Record<'found' | 'missing' | 'unexpected', ContainerName[]> & { unassigned: string[] };

/** Compares scanned values with what is in a container, and changes nothing. A mutation, because they may not fit into a URL. */
export const compareContents = sessionProcedure('operator')
  .input(compareInput)
  .mutation(async ({ ctx, input: { container_id: containerId, reads } }): Promise<Comparison> => {
    const { db, settings } = ctx.services;
    const { orgId } = ctx;
    if (!(await nameOfContainer(db, orgId, containerId))) throw assetNotFound();
    const resolved = await resolveSubmittedReads(db, orgId, { reads, baseUrl: settings.baseUrl });
    const seen = new Set(resolved.flatMap(({ assetId }) => assetId ?? []));
    seen.delete(containerId);
    const assets = await namesOf(db, orgId, { containerId, ids: [...seen] });
    const named = (is: (asset: ComparedRow) => boolean) =>
      assets.filter(is).map(({ id, name, external_key }) => ({ id, name, external_key }));
    return {
      found: named(({ id, is_inside }) => is_inside && seen.has(id)),
      missing: named(({ id, is_inside }) => is_inside && !seen.has(id)),
      unexpected: named(({ is_inside }) => !is_inside),
      unassigned: reads.flatMap(({ value }, index) =>
        value !== undefined && resolved[index]?.isKnown === false ? [value] : [],
      ),
    };
  });

type ComparedRow = ContainerName & { is_inside: boolean };

/** Returns the live assets in a container, and those with the given ids, by name. */
async function namesOf(
  db: Queries,
  orgId: number,
  { containerId, ids }: { containerId: number; ids: readonly number[] },
): Promise<ComparedRow[]> {
  return db.$queryRaw<ComparedRow[]>`
    WITH inside AS MATERIALIZED (
      SELECT k.asset_id FROM asset_containments k
       WHERE k.org_id = ${orgId} AND k.container_id = ${containerId} AND k.until IS NULL
    )
    SELECT a.id, a.name, a.external_key, a.id IN (SELECT asset_id FROM inside) AS is_inside
      FROM assets a
     WHERE a.org_id = ${orgId} AND a.deleted_at IS NULL
       AND a.id = ANY(${[...ids]}::int[] || ARRAY(SELECT asset_id FROM inside))
     ORDER BY ${inNaturalOrder('a.name')}, a.id`;
}
