import { Prisma } from '../../generated/prisma/client.js';
import { type Author, authoredBy } from '../activity/author.js';
import type { Database, TransactionClient } from '../database/client.js';
import { breaksUnique } from '../database/faults.js';
import { ContractError } from '../errors.js';
import type { Tag, TagRequest } from './schemas.js';

/** Which table a tag's parent lives in. */
export type TagParent = 'asset' | 'location';

const parents = {
  asset: { table: Prisma.raw('assets'), column: Prisma.raw('asset_id') },
  location: { table: Prisma.raw('locations'), column: Prisma.raw('location_id') },
};

/**
 * The tags of a row as one JSON array, oldest first. A detached tag has no row and a deleted parent's tags are retired
 * with it, so the rows that are there are the ones to show.
 */
export function tagsOf(parent: TagParent, alias: string): Prisma.Sql {
  return Prisma.raw(`(
    SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
      FROM tags t
     WHERE t.org_id = ${alias}.org_id
       AND t.${parent}_id = ${alias}.id
  )`);
}

/**
 * A condition of a create: its key, if it has one, and its tags are free. A create that is refused for it takes no ids from
 * the sequences, which are shared by all organizations and end. The unique indexes decide between creates at the same time.
 */
export function isFree(
  parent: TagParent,
  orgId: number,
  { externalKey, tags }: { externalKey: string | undefined; tags: readonly TagRequest[] },
): Prisma.Sql {
  if (new Set(tags.map(pairOf)).size < tags.length) return Prisma.sql`false`;
  const { table } = parents[parent];
  const keyIsFree =
    externalKey === undefined
      ? Prisma.sql`true`
      : Prisma.sql`NOT EXISTS (
          SELECT FROM ${table} k WHERE k.org_id = ${orgId} AND k.external_key = ${externalKey} AND k.deleted_at IS NULL)`;
  const tagsAreFree =
    tags.length === 0
      ? Prisma.sql`true`
      : Prisma.sql`NOT EXISTS (
          SELECT FROM unnest(${tags.map((tag) => tag.tag_type)}::text[], ${tags.map((tag) => tag.value)}::text[])
                      AS given (tag_type, value)
            JOIN tags t ON t.org_id = ${orgId} AND t.tag_type = given.tag_type AND t.value = given.value AND t.deleted_at IS NULL)`;
  return Prisma.sql`${keyIsFree} AND ${tagsAreFree}`;
}

/**
 * The CTE that attaches the tags of a create to the row made by the CTE named `made`. Their ids follow the order given;
 * they are stored in the order of their natural key, so that two creates wanting the same tags wait in line, not in a circle.
 * Without a row nothing is taken from the sequence.
 */
export function insertTags(parent: TagParent, tags: readonly TagRequest[]): Prisma.Sql {
  const { column } = parents[parent];
  return Prisma.sql`
    INSERT INTO tags (id, org_id, ${column}, tag_type, value)
    SELECT numbered.id, made.org_id, made.id, numbered.tag_type, numbered.value
      FROM made
     CROSS JOIN LATERAL (
       SELECT nextval('tags_id_seq')::int AS id, given.tag_type, given.value
         FROM unnest(${tags.map((tag) => tag.tag_type)}::text[], ${tags.map((tag) => tag.value)}::text[])
              AS given (tag_type, value)
        WHERE made.id IS NOT NULL
     ) numbered
     ORDER BY numbered.tag_type, numbered.value
    RETURNING id, tag_type, value`;
}

export type AttachTag = { parent: TagParent; parentId: number; tag: TagRequest; author: Author };

/** Attaches a tag to a live row and returns it, or undefined where there is no such row. Waits for a deletion under way. */
export async function attachTag(db: Database, orgId: number, attach: AttachTag): Promise<Tag | undefined> {
  const { table, column } = parents[attach.parent];
  const rows = await db.$queryRaw<Tag[]>`
    WITH parent AS (
      SELECT org_id, id FROM ${table} WHERE org_id = ${orgId} AND id = ${attach.parentId} AND deleted_at IS NULL FOR SHARE
    )
    INSERT INTO tags (org_id, ${column}, tag_type, value)
    SELECT org_id, id, ${attach.tag.tag_type}, ${attach.tag.value} FROM parent WHERE ${authoredBy(attach.author)}
    RETURNING id, tag_type, value`;
  return rows[0];
}

export type DetachTag = { parent: TagParent; parentId: number; tagId: number; author: Author };

/** Removes a tag from the live row it is attached to; false where it is not attached there. */
export async function detachTag(db: Database, orgId: number, detach: DetachTag): Promise<boolean> {
  const { table, column } = parents[detach.parent];
  const removed = await db.$executeRaw`
    DELETE FROM tags t
     USING ${table} p
     WHERE t.org_id = ${orgId}
       AND t.id = ${detach.tagId}
       AND t.${column} = ${detach.parentId}
       AND p.org_id = t.org_id
       AND p.id = t.${column}
       AND p.deleted_at IS NULL
       AND ${authoredBy(detach.author)}`;
  return removed > 0;
}

/**
 * Runs a statement that attaches tags and turns a broken natural key into the 409 that names the pair (contract 7.5). The
 * same pair twice in one request breaks it as well.
 */
export async function refusingDuplicateTags<Result>(
  db: Database | TransactionClient,
  attempt: { orgId: number; tags: readonly TagRequest[] },
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!breaksUnique(error, 'tags_live_pair')) throw error;
    // The other holder may have let go of it between the two statements; the first one is then as good as any.
    const taken = (await firstTaken(db, attempt.orgId, attempt.tags)) ?? attempt.tags[0];
    throw taken ? duplicateTag(taken, error) : error;
  }
}

function duplicateTag(tag: TagRequest, cause?: unknown): ContractError {
  return new ContractError('conflict', `tag ${tag.tag_type}:${tag.value} already exists`, { cause });
}

export type Creation<Row> = {
  parent: TagParent;
  orgId: number;
  externalKey: string | undefined;
  tags: readonly TagRequest[];
  keyTaken: (externalKey: string, cause?: unknown) => ContractError;
  /** Inserts under the condition `isFree`; undefined where that does not hold. */
  insert: () => Promise<Row | undefined>;
};

/** What is in the way of a create may be gone when it is looked for; then the create is tried again. */
const attemptsMax = 3;

/**
 * Creates a row with its key and tags.
 *
 * @throws ContractError `conflict` where the key, or else one of the tags, is taken (contract 7.5)
 */
export async function createUnlessTaken<Row>(db: Database, creation: Creation<Row>): Promise<Row> {
  const { parent, orgId, externalKey, tags, keyTaken, insert } = creation;
  const keyIndex = `${parent}s_live_external_key`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const row = await refusingDuplicateTags(db, { orgId, tags }, insert);
      if (row !== undefined) return row;
    } catch (error) {
      if (externalKey !== undefined && breaksUnique(error, keyIndex)) throw keyTaken(externalKey, error);
      throw error;
    }
    if (externalKey !== undefined && (attempt === attemptsMax || (await keyIsTaken(db, creation)))) {
      throw keyTaken(externalKey);
    }
    const taken = (await firstTaken(db, orgId, tags)) ?? (attempt === attemptsMax ? tags[0] : undefined);
    if (taken) throw duplicateTag(taken);
  }
}

async function keyIsTaken(
  db: Database,
  { parent, orgId, externalKey }: Pick<Creation<unknown>, 'parent' | 'orgId' | 'externalKey'>,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM ${parents[parent].table}
     WHERE org_id = ${orgId} AND external_key = ${externalKey ?? null} AND deleted_at IS NULL`;
  return rows.length > 0;
}

/** The first pair that is taken, or stands twice in the list. */
async function firstTaken(
  db: Database | TransactionClient,
  orgId: number,
  tags: readonly TagRequest[],
): Promise<TagRequest | undefined> {
  const seen = new Set<string>();
  const live = await db.$queryRaw<TagRequest[]>`
    SELECT t.tag_type, t.value
      FROM unnest(${tags.map((tag) => tag.tag_type)}::text[], ${tags.map((tag) => tag.value)}::text[]) AS given (tag_type, value)
      JOIN tags t ON t.org_id = ${orgId} AND t.tag_type = given.tag_type AND t.value = given.value AND t.deleted_at IS NULL`;
  const taken = new Set(live.map(pairOf));
  for (const tag of tags) {
    const pair = pairOf(tag);
    if (taken.has(pair) || seen.has(pair)) return tag;
    seen.add(pair);
  }
  return undefined;
}

function pairOf(tag: TagRequest): string {
  return `${tag.tag_type}:${tag.value}`;
}
