import { Prisma } from '../../generated/prisma/client.js';
import type { SortItem } from '../validation/parameters.js';

export const reportSortFields = ['asset_last_seen', 'asset_external_key', 'location_external_key'] as const;

export type ReportSortField = (typeof reportSortFields)[number];

export type Sort = readonly SortItem<ReportSortField>[];

export type SortColumns = Record<ReportSortField, Prisma.Sql>;

/**
 * Columns of the positions `p`, the assets `a` and the locations `l`. The report has PostgreSQL's default order of
 * nulls.
 */
export const sortColumns: SortColumns = {
  asset_last_seen: Prisma.raw('p.asset_last_seen'),
  asset_external_key: Prisma.raw('a.external_key'),
  location_external_key: Prisma.raw('l.external_key'),
};

export type Page = {
  /** Common table expressions that end with `page`, the rows of a page in any order. */
  ctes: Prisma.Sql;
  /** The total number of rows. */
  total: Prisma.Sql;
  /** Boolean: false if more positions have to be read when the page is not full. */
  isComplete: Prisma.Sql;
};

/** The columns of `page`, from the positions `p` and the assets `a`. */
export const pageColumns = Prisma.raw(
  'p.asset_id, p.asset_last_seen, p.location_id, a.external_key AS asset_external_key, a.deleted_at',
);

/** Joins the asset `a` of each row of the table `alias`, looked up by key. */
export function assetOf(orgId: number, alias: string): Prisma.Sql {
  return Prisma.sql`CROSS JOIN LATERAL (
    SELECT r.org_id, r.external_key, r.deleted_at, r.valid_from, r.valid_to
      FROM assets r
     WHERE r.org_id = ${orgId} AND r.id = ${Prisma.raw(alias)}.asset_id
    OFFSET 0) a`;
}

/** Joins the location `l` of each row of the table `alias`, if it is not deleted; there has to be an asset `a`. */
export function locationOf(alias: string): Prisma.Sql {
  return Prisma.raw(
    `LEFT JOIN locations l ON l.org_id = a.org_id AND l.id = ${alias}.location_id AND l.deleted_at IS NULL`,
  );
}

/** Joins the position `p` of each row of the table `alias`, looked up by key. */
export function positionOf(orgId: number, alias: string): Prisma.Sql {
  return Prisma.sql`CROSS JOIN LATERAL (
    SELECT r.asset_last_seen FROM asset_positions r WHERE r.org_id = ${orgId} AND r.asset_id = ${Prisma.raw(alias)}.asset_id OFFSET 0) p`;
}

/** Counts the listings `s` of the assets of a SELECT, which are few, in one pass over the key. */
export function countListings(orgId: number, assets: Prisma.Sql, condition = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`(
    SELECT count(*)
      FROM position_listings s
     WHERE s.org_id = ${orgId} AND s.asset_id = ANY(ARRAY(SELECT n.id FROM (${assets}) n)) AND ${condition})`;
}
