import { Prisma } from '../../../generated/prisma/client.js';
import { type Author, authoredBy } from '../../people/activity/author.js';
import type { Database, Queries, TransactionClient } from '../../kernel/database/client.js';
import { resourceTables } from '../../kernel/database/resource-tables.js';
import { breaksUnique } from '../../kernel/database/faults.js';
import { withGeneratedKeys } from '../../kernel/database/generated-key.js';
import { type ContractError, refusal, type RelatedRow } from '../../kernel/errors.js';
import type { ResourceKind } from '../../kernel/fields.js';
import { type Tag, type TagRequest, tagsMax } from './schemas.js';

/** Tags of the alias `t` as one JSON array, oldest first. */
const tagArray = `coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')`;

/**
 * Returns the tags of a row as one JSON array, oldest first. Detached tags have no row, and the tags of a deleted
 * parent are retired with it, so all existing rows are shown.
 */
export function tagsOf(parent: ResourceKind, alias: string): Prisma.Sql {
  return Prisma.raw(`(SELECT ${tagArray} FROM ${rowsOf(parent, alias)})`);
}

function rowsOf(parent: ResourceKind, alias: string): string {
  return `tags t WHERE t.org_id = ${alias}.org_id AND t.${parent}_id = ${alias}.id`;
}

/**
 * Returns a condition of a create: its key, if it has one, and its tags are free. A create that this condition rejects
 * takes no ids from the sequences, which are finite and shared by all organizations. The unique indexes decide between
 * concurrent creates.
 */
export function isFree(
  parent: ResourceKind,
  orgId: number,
  { externalKey, tags }: { externalKey: string | undefined; tags: readonly TagRequest[] },
): Prisma.Sql {
  if (new Set(tags.map(pairOf)).size < tags.length) return Prisma.sql`false`;
  const { table } = resourceTables[parent];
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
 * Returns the CTE that attaches the tags of a create to the row of the CTE named `made`. Their ids follow the given
 * order; they are inserted in the order of their natural key, so that two creates with the same tags do not deadlock.
 * If `made` has no row, no id is taken from the sequence.
 */
export function insertTags(parent: ResourceKind, tags: readonly TagRequest[]): Prisma.Sql {
  const { tagColumn: column } = resourceTables[parent];
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

/**
 * Locks a live row against changes, deletion and changes of its tags until the end of the transaction. Returns false if there is
 * no such row. It is a separate statement, so that the next one sees what others committed before the lock was free.
 */
export async function lockTagParent(
  tx: TransactionClient,
  orgId: number,
  { parent, parentId }: { parent: ResourceKind; parentId: number },
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM ${resourceTables[parent].table}
     WHERE org_id = ${orgId} AND id = ${parentId} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return rows.length > 0;
}

export type AttachTag = { parent: ResourceKind; parentId: number; tag: TagRequest; author: Author };

/**
 * Attaches a tag to a live row and returns it, or undefined if there is no such row. Waits for a deletion in progress,
 * and for another tag that is being attached to the row.
 *
 * @throws ContractError `conflict` if the row has `tagsMax` tags
 */
export function attachTag(db: Database, orgId: number, attach: AttachTag): Promise<Tag | undefined> {
  const { tagColumn: column } = resourceTables[attach.parent];
  return db.$transaction(async (tx) => {
    if (!(await lockTagParent(tx, orgId, attach))) return undefined;
    const rows = await tx.$queryRaw<Tag[]>`
      INSERT INTO tags (org_id, ${column}, tag_type, value)
      SELECT ${orgId}, ${attach.parentId}, ${attach.tag.tag_type}, ${attach.tag.value}
       WHERE (SELECT count(*) FROM tags t WHERE t.org_id = ${orgId} AND t.${column} = ${attach.parentId}) < ${tagsMax}
         AND ${authoredBy(attach.author)}
      RETURNING id, tag_type, value`;
    if (rows[0]) return rows[0];
    throw refusal('too_many_tags', { kind: attach.parent, max: tagsMax });
  });
}

export type DetachTag = { parent: ResourceKind; parentId: number; tagId: number; author: Author };

/**
 * Removes a tag from the live row it is attached to. Waits for a change of the row in progress. Returns false if the tag is not
 * attached there.
 */
export async function detachTag(db: Database, orgId: number, detach: DetachTag): Promise<boolean> {
  const { tagColumn: column } = resourceTables[detach.parent];
  const removed = await db.$transaction(async (tx) => {
    if (!(await lockTagParent(tx, orgId, detach))) return 0;
    return tx.$executeRaw`
      DELETE FROM tags t
       WHERE t.org_id = ${orgId} AND t.id = ${detach.tagId} AND t.${column} = ${detach.parentId} AND ${authoredBy(detach.author)}`;
  });
  return removed > 0;
}

/**
 * Runs a statement that attaches tags, and converts a violation of the natural key to the 409 that names the pair
 * (contract 7.5). The same pair twice in one request is a violation as well.
 */
export async function rejectingDuplicateTags<Result>(
  db: Database | TransactionClient,
  attempt: { orgId: number; tags: readonly TagRequest[] },
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!breaksUnique(error, 'tags_live_pair')) throw error;
    // The other owner may have released the tag between the two statements; then the first tag is reported.
    const [tag] = attempt.tags;
    const taken = (await firstTaken(db, attempt.orgId, attempt.tags)) ?? (tag && { tag });
    throw taken ? duplicateTag(taken, error) : error;
  }
}

function duplicateTag({ tag, owner }: TakenTag, cause?: unknown): ContractError {
  return refusal('tag_taken', { type: tag.tag_type, value: tag.value }, { cause, related: owner });
}

/** Why a key is taken: the error of the database, if there is one, and the row that has the key. */
export type KeyConflict = { cause?: unknown; related?: RelatedRow | undefined };

export type Creation<Row> = {
  parent: ResourceKind;
  orgId: number;
  externalKey: string | undefined;
  tags: readonly TagRequest[];
  keyTaken: (externalKey: string, conflict: KeyConflict) => ContractError;
  /** Inserts the row if the condition `isFree` holds; otherwise returns undefined. */
  insert: () => Promise<Row | undefined>;
};

/** If a conflict is gone by the time it is looked up, the create is repeated. */
const attemptsMax = 3;

/**
 * Creates a row with its key and tags.
 *
 * @throws ContractError `conflict` if the key, or else one of the tags, is taken (contract 7.5)
 */
export async function createUnlessTaken<Row>(db: Database, creation: Creation<Row>): Promise<Row> {
  const { parent, orgId, externalKey, tags, keyTaken, insert } = creation;
  const keyIndex = `${parent}s_live_external_key`;
  const create = externalKey === undefined ? () => withGeneratedKeys(insert) : insert;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const row = await rejectingDuplicateTags(db, { orgId, tags }, create);
      if (row !== undefined) return row;
    } catch (error) {
      if (externalKey === undefined || !breaksUnique(error, keyIndex)) throw error;
      throw keyTaken(externalKey, {
        cause: error,
        related: await holderOfKey(db, orgId, { kind: parent, externalKey }),
      });
    }
    if (externalKey !== undefined) {
      const related = await holderOfKey(db, orgId, { kind: parent, externalKey });
      if (related || attempt === attemptsMax) throw keyTaken(externalKey, { related });
    }
    const [tag] = tags;
    const taken = (await firstTaken(db, orgId, tags)) ?? (attempt === attemptsMax && tag ? { tag } : undefined);
    if (taken) throw duplicateTag(taken);
  }
}

/** Returns the live row that has a key, effective or not. */
export async function holderOfKey(
  db: Queries,
  orgId: number,
  { kind, externalKey }: { kind: ResourceKind; externalKey: string },
): Promise<RelatedRow | undefined> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM ${resourceTables[kind].table}
     WHERE org_id = ${orgId} AND external_key = ${externalKey} AND deleted_at IS NULL`;
  return rows[0] && { kind, id: rows[0].id };
}

/** A tag that is taken; without an owner if the request contains it twice. */
type TakenTag = { tag: TagRequest; owner?: RelatedRow | undefined };

type LiveTag = TagRequest & { asset_id: number | null; location_id: number | null };

/** Returns the first tag that is taken, or is in the list twice. */
async function firstTaken(
  db: Database | TransactionClient,
  orgId: number,
  tags: readonly TagRequest[],
): Promise<TakenTag | undefined> {
  const seen = new Set<string>();
  const live = await db.$queryRaw<LiveTag[]>`
    SELECT t.tag_type, t.value, t.asset_id, t.location_id
      FROM unnest(${tags.map((tag) => tag.tag_type)}::text[], ${tags.map((tag) => tag.value)}::text[]) AS given (tag_type, value)
      JOIN tags t ON t.org_id = ${orgId} AND t.tag_type = given.tag_type AND t.value = given.value AND t.deleted_at IS NULL`;
  const taken = new Map(live.map((row) => [pairOf(row), row]));
  for (const tag of tags) {
    const pair = pairOf(tag);
    const found = taken.get(pair);
    if (found || seen.has(pair)) return { tag, owner: found && ownerOf(found) };
    seen.add(pair);
  }
  return undefined;
}

function ownerOf({ asset_id: assetId, location_id: locationId }: LiveTag): RelatedRow | undefined {
  if (assetId !== null) return { kind: 'asset', id: assetId };
  return locationId === null ? undefined : { kind: 'location', id: locationId };
}

function pairOf(tag: TagRequest): string {
  return `${tag.tag_type}:${tag.value}`;
}
