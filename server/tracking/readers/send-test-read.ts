import { z } from 'zod';
import { fieldRefusal, serviceUnavailable } from '../../kernel/errors.js';
import { IngestionStoppedError, ReaderGoneError } from '../scans/ingestion-errors.js';
import { sessionProcedure } from '../../trpc.js';
import { idField } from '../../kernel/validation/fields.js';
import type { TagType } from '../../things/tags/schemas.js';
import type { Queries } from '../../kernel/database/client.js';
import { readerNotFound } from './not-found.js';

type Named = { id: number; name: string };

/** The result of a test read. */
export type TestRead = {
  asset: Named;
  tag: { tag_type: string; value: string };
  /** The location of the asset before and now; null without a location. */
  from: Named | null;
  location: Named | null;
};

const retryAfterSeconds = 5;

/**
 * Sends one read of an asset's tag, at antenna 1 of a reader, through the same steps as a reader's message: it is
 * judged, stored as an event, and moves the asset. It does not count as a heartbeat of the reader. Resolves when it is
 * stored.
 *
 * @throws ContractError `not_found` if the reader does not exist; `validation_error` if the asset does not exist or has
 *   no tag
 */
export const sendTestRead = sessionProcedure('manager')
  .input(z.strictObject({ id: idField('required'), asset_id: idField('required') }))
  .mutation(async ({ ctx, input }): Promise<TestRead> => {
    const { orgId } = ctx;
    const { db, ingestion } = ctx.services;
    const subject = await findTestSubject(db, orgId, { readerId: input.id, assetId: input.asset_id });
    if (!subject) throw readerNotFound();
    const { asset, tag, topic } = subject;
    if (!asset) throw fieldRefusal('asset_id', 'not_found', { value: input.asset_id });
    if (!tag) throw fieldRefusal('asset_id', 'no_tag');
    const from = await locationOfAsset(db, orgId, asset.id);
    const read = { tagType: tag.tag_type, value: tag.value, antenna: 1, rssiDbm: null, observedAtMs: null };
    try {
      await ingestion.ingest({
        orgId,
        readerId: input.id,
        topic,
        isTest: true,
        content: { kind: 'reads', reads: [read] },
      });
    } catch (error) {
      if (error instanceof ReaderGoneError) throw readerNotFound();
      if (error instanceof IngestionStoppedError)
        throw serviceUnavailable('The service is stopping', retryAfterSeconds);
      throw error;
    }
    return { asset, tag, from, location: await locationOfAsset(db, orgId, asset.id) };
  });

/** A reader's topic, and an asset with its first tag; null if there is none. */
type TestSubject = { topic: string; asset: Named | null; tag: { tag_type: TagType; value: string } | null };

/** Returns the inputs of a test read; undefined if the reader does not exist. */
async function findTestSubject(
  db: Queries,
  orgId: number,
  { readerId, assetId }: { readerId: number; assetId: number },
): Promise<TestSubject | undefined> {
  const rows = await db.$queryRaw<TestSubject[]>`
    SELECT r.publish_topic AS topic,
           CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name) END AS asset,
           (SELECT json_build_object('tag_type', t.tag_type, 'value', t.value)
              FROM tags t
             WHERE t.org_id = ${orgId} AND t.asset_id = a.id AND t.deleted_at IS NULL
             ORDER BY t.id
             LIMIT 1) AS tag
      FROM readers r
      LEFT JOIN assets a ON a.org_id = r.org_id AND a.id = ${assetId} AND a.deleted_at IS NULL
     WHERE r.org_id = ${orgId} AND r.id = ${readerId} AND r.deleted_at IS NULL`;
  return rows[0];
}

/** Returns the live location of an asset; null if it has none. */
async function locationOfAsset(db: Queries, orgId: number, assetId: number): Promise<Named | null> {
  const rows = await db.$queryRaw<Named[]>`
    SELECT l.id, l.name
      FROM asset_positions p
      JOIN locations l ON l.org_id = p.org_id AND l.id = p.location_id AND l.deleted_at IS NULL
     WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}`;
  return rows[0] ?? null;
}
