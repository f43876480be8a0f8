import { Prisma } from '../../../generated/prisma/client.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, inNaturalOrder, nextInstant, timestamp } from '../../kernel/database/columns.js';
import { type ContractError, refusal } from '../../kernel/errors.js';
import { type AssetKind, type KindFields, kindsMax, type KindOfAsset } from './schemas.js';

/** A stored kind. */
export type KindRow = KindOfAsset & { updated_at: string };

const kindRow = Prisma.sql`k.id, k.name, k.icon, k.color, k.image_id, k.holds_assets, ${timestamp('k.updated_at')} AS updated_at`;

/** Returns the kinds of an organization by name, each with the number of its live assets. */
export async function findKinds(db: Queries, orgId: number): Promise<AssetKind[]> {
  return db.$queryRaw`
    SELECT ${kindRow}, coalesce(c.n, 0)::int AS asset_count
      FROM asset_kinds k
      LEFT JOIN (SELECT a.kind_id, count(*) AS n
                   FROM assets a
                  WHERE a.org_id = ${orgId} AND a.kind_id IS NOT NULL AND a.deleted_at IS NULL
                  GROUP BY a.kind_id) c ON c.kind_id = k.id
     WHERE k.org_id = ${orgId}
     ORDER BY ${inNaturalOrder('k.name')}, k.id`;
}

/** Returns a kind, locked until the end of the transaction. */
export async function lockKind(tx: TransactionClient, orgId: number, id: number): Promise<KindRow | undefined> {
  const rows = await tx.$queryRaw<KindRow[]>`
    SELECT ${kindRow} FROM asset_kinds k WHERE k.org_id = ${orgId} AND k.id = ${id} FOR NO KEY UPDATE`;
  return rows[0];
}

/** Returns whether the organization has a kind, which then cannot be deleted until the end of the transaction. */
export async function holdKind(tx: TransactionClient, orgId: number, id: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM asset_kinds k WHERE k.org_id = ${orgId} AND k.id = ${id} FOR KEY SHARE`;
  return rows.length > 0;
}

export async function countKinds(tx: TransactionClient, orgId: number): Promise<number> {
  const rows = await tx.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM asset_kinds WHERE org_id = ${orgId}`;
  return rows[0]?.n ?? 0;
}

export function kindsExceeded(): ContractError {
  return refusal('limit_reached', { max: kindsMax, what: 'kinds of assets' });
}

export async function insertKind(tx: TransactionClient, orgId: number, kind: KindFields): Promise<KindRow> {
  const [row] = await tx.$queryRaw<[KindRow]>`
    INSERT INTO asset_kinds AS k (org_id, name, icon, color, image_id, holds_assets, updated_at)
    VALUES (${orgId}, ${kind.name}, ${kind.icon}, ${kind.color}, ${kind.image_id}::int, ${kind.holds_assets}, ${currentInstant})
    RETURNING ${kindRow}`;
  return row;
}

export async function replaceKind(
  tx: TransactionClient,
  orgId: number,
  kind: KindFields & { id: number },
): Promise<KindRow> {
  const [row] = await tx.$queryRaw<[KindRow]>`
    UPDATE asset_kinds k
       SET name = ${kind.name}, icon = ${kind.icon}, color = ${kind.color}, image_id = ${kind.image_id}::int,
           holds_assets = ${kind.holds_assets},
           updated_at = ${nextInstant('k.updated_at')}
     WHERE k.org_id = ${orgId} AND k.id = ${kind.id}
    RETURNING ${kindRow}`;
  return row;
}

/**
 * Deletes a kind that no live asset has; deleted assets lose it. If a live asset has the kind, a foreign key rejects
 * the deletion.
 */
export async function deleteKindRow(tx: TransactionClient, orgId: number, id: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE assets SET kind_id = NULL WHERE org_id = ${orgId} AND kind_id = ${id} AND deleted_at IS NOT NULL`;
  await tx.$executeRaw`DELETE FROM asset_kinds WHERE org_id = ${orgId} AND id = ${id}`;
}

/** Returns the kind of the asset `a` as JSON, or null. */
export const kindOfAsset = Prisma.sql`(
  SELECT json_build_object('id', k.id, 'name', k.name, 'icon', k.icon, 'color', k.color, 'image_id', k.image_id, 'holds_assets', k.holds_assets)
    FROM asset_kinds k WHERE k.org_id = a.org_id AND k.id = a.kind_id)`;

/**
 * Returns, for each word of a search, the kinds whose name contains one of its spellings. Words have three letters or
 * more.
 */
export async function kindsLike(
  db: Queries,
  orgId: number,
  words: readonly (readonly string[])[],
): Promise<number[][]> {
  const forms = words.flatMap((spellings, at) => spellings.map((text) => ({ at, text })));
  const rows = await db.$queryRaw<{ at: number; ids: number[] }[]>`
    SELECT w.at, array_agg(DISTINCT k.id) AS ids
      FROM unnest(${forms.map(({ at }) => at)}::int[], ${forms.map(({ text }) => text)}::text[]) AS w (at, text)
      JOIN asset_kinds k ON k.org_id = ${orgId} AND strpos(fold_case(k.name), fold_case(w.text)) > 0
     WHERE char_length(w.text) >= 3
     GROUP BY w.at`;
  return words.map((_, at) => rows.find((row) => row.at === at)?.ids ?? []);
}

export async function findKindOf(db: Queries, orgId: number, assetId: number): Promise<KindOfAsset | null> {
  const rows = await db.$queryRaw<{ kind: KindOfAsset | null }[]>`
    SELECT ${kindOfAsset} AS kind FROM assets a WHERE a.org_id = ${orgId} AND a.id = ${assetId}`;
  return rows[0]?.kind ?? null;
}
