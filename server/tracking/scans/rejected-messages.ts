import type { Database } from '../../kernel/database/client.js';

const keptDays = 7;
/**
 * The most messages that are kept for one reader, however recent they are: if its format is wrong, all its messages are
 * rejected.
 */
const keptPerReaderMax = 10_000;
/** The most messages that are kept for all readers of an organization together. */
const keptOfOrganizationMax = { messages: 100_000, payloadBytes: 256 * 1_048_576 };

/**
 * Deletes rejected messages after 7 days. Keeps at most the newest 10,000 of each reader, and the newest 100,000 of
 * each organization with payloads of up to 256 MiB.
 */
export async function removeOldRejectedMessages(
  db: Pick<Database, '$executeRaw'>,
  ofOrganization = keptOfOrganizationMax,
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM rejected_messages WHERE received_at < now() - make_interval(days => ${keptDays}::int)`;
  await db.$executeRaw`
    DELETE FROM rejected_messages m
     USING (SELECT reader_id, max(id) AS id
              FROM (SELECT reader_id, id, row_number() OVER (PARTITION BY reader_id ORDER BY id DESC) AS ordinal
                      FROM rejected_messages) numbered
             WHERE ordinal > ${keptPerReaderMax}::int
             GROUP BY reader_id) surplus
     WHERE m.reader_id = surplus.reader_id AND m.id <= surplus.id`;
  await db.$executeRaw`
    DELETE FROM rejected_messages m
     USING (SELECT org_id, max(id) AS id
              FROM (SELECT org_id, id,
                           row_number() OVER newest AS ordinal, sum(octet_length(payload)) OVER newest AS payload_bytes
                      FROM rejected_messages
                    WINDOW newest AS (PARTITION BY org_id ORDER BY id DESC)) numbered
             WHERE ordinal > ${ofOrganization.messages}::int OR payload_bytes > ${ofOrganization.payloadBytes}::int8
             GROUP BY org_id) surplus
     WHERE m.org_id = surplus.org_id AND m.id <= surplus.id`;
}
