import { recordChange } from '../../people/activity/record.js';
import { countKinds, insertKind, kindsExceeded } from '../../things/asset-kinds/queries.js';
import { kindsMax } from '../../things/asset-kinds/schemas.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';

/** Finds the kinds that the file names, whatever their case. */
export async function matchKinds(tx: TransactionClient, { orgId }: Job): Promise<void> {
  await tx.$executeRaw`
    UPDATE staged s SET kind_id = k.id
      FROM asset_kinds k
     WHERE k.org_id = ${orgId} AND s.kind IS NOT NULL AND fold_case(k.name) = fold_case(s.kind)`;
}

type NewKind = { name: string; line: number; count: number };

/** Returns the names of the file that are of no kind yet, in the order of their first lines. */
async function newKinds(tx: TransactionClient): Promise<NewKind[]> {
  return tx.$queryRaw<NewKind[]>`
    SELECT (array_agg(s.kind ORDER BY s.line))[1] AS name, min(s.line) AS line, count(*)::int AS count
      FROM staged s
     WHERE s.is_valid AND s.kind IS NOT NULL AND s.kind_id IS NULL
     GROUP BY fold_case(s.kind)
     ORDER BY 2`;
}

/** Returns a problem if the file names more new kinds than the organization can have. */
export async function tooManyKinds(tx: TransactionClient, job: Job): Promise<Problem[]> {
  if (!job.columns.includes('kind')) return [];
  const created = await newKinds(tx);
  const first = created[Math.max(0, kindsMax - (await countKinds(tx, job.orgId)))];
  if (!first) return [];
  return [
    { line: first.line, column: 'kind', message: `an organization can have at most ${kindsMax} kinds of assets` },
  ];
}

/** Returns a notice for each kind that the file creates, with the line of its first asset. */
export async function noticesOfKinds(tx: TransactionClient, job: Job): Promise<Problem[]> {
  if (!job.columns.includes('kind')) return [];
  return (await newKinds(tx)).map(({ name, line, count }) => ({
    line,
    column: 'kind',
    message: `kind "${name}" is created for ${count} assets`,
    isNotice: true,
  }));
}

/** Creates the kinds that there are none of. */
export async function createKinds(tx: TransactionClient, job: Job): Promise<void> {
  if (!job.columns.includes('kind')) return;
  if ((await newKinds(tx)).length === 0) return;
  await tx.$queryRaw(lockStatement('assetKinds', job.orgId));
  await matchKinds(tx, job);
  const created = await newKinds(tx);
  if (created.length + (await countKinds(tx, job.orgId)) > kindsMax) throw kindsExceeded();
  for (const { name } of created) {
    const { id } = await insertKind(tx, job.orgId, {
      name,
      icon: 'box',
      color: 'gray',
      image_id: null,
      holds_assets: false,
    });
    await recordChange(tx, job, {
      kind: 'asset_kind',
      objectId: id,
      objectName: name,
      action: 'created',
      after: { name },
    });
  }
  await matchKinds(tx, job);
}
