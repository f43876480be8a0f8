import { epochMs } from '../../kernel/database/columns.js';
import type { Queries } from '../../kernel/database/client.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import type { TagType } from '../../things/tags/schemas.js';
import { sessionProcedure } from '../../trpc.js';
import type { MappedOutcome } from './mapping-process.js';
import { readerNotFound } from './not-found.js';
import { findReader } from './queries.js';
import { tryMappingInput } from './schemas.js';

const messagesMax = 5;
const readsMax = 5;

/** A read as it would be stored. Without a time of its own it has the time of receipt. */
export type TrialRead = {
  tag_type: TagType;
  value: string;
  antenna: number;
  rssi_dbm: number | null;
  observed_at: string | null;
};

/** What a message would be by a mapping. */
export type MappingTrial = {
  /** Null for a message that was given. */
  received_at: string | null;
  /** The first reads; without any, the message is a heartbeat, or rejected for `reason`. */
  reads: TrialRead[];
  read_count: number;
  /** Why the message, or a part of it, cannot be read. */
  reason: string | null;
  /** The parts of the mapping that find nothing in the message. */
  missing: string[];
};

/** Judges a given message and the last rejected messages of a reader by a mapping, as the ingest broker does, and stores nothing. */
export const tryMapping = sessionProcedure('admin')
  .input(tryMappingInput)
  .mutation(async ({ ctx, input }): Promise<MappingTrial[]> => {
    const { db, mappingTrials } = ctx.services;
    const { id, message, topic = '', mapping: paths, time_unit, tag_type } = input;
    if (id !== undefined && !(await findReader(db, ctx.orgId, id))) throw readerNotFound();
    const kept = id === undefined ? [] : await lastRejected(db, ctx.orgId, id);
    const given = message === undefined || message.trim() === '' ? [] : [Buffer.from(message)];
    const others = kept.filter(({ payload }) => !given.some((bytes) => bytes.equals(payload)));
    const messages = [...given.map((payload) => ({ payload, topic, received_at: null })), ...others].slice(
      0,
      messagesMax,
    );
    const found = Object.entries(paths).filter(([, path]) => path !== null);
    const mapping = { ...Object.fromEntries(found), value: paths.value, time_unit, tag_type };
    const outcomes = await mappingTrials.judge(
      ctx.orgId,
      messages.map((one) => ({ topic: one.topic, payload: one.payload, onReadsTopic: true, mapping })),
    );
    return outcomes.map((outcome, index) => trialOf(outcome, messages[index]?.received_at ?? null));
  });

function trialOf(outcome: MappedOutcome, receivedAtMs: number | null): MappingTrial {
  const reads = outcome.kind === 'reads' ? outcome.reads : [];
  return {
    received_at: formatNullableTimestamp(receivedAtMs),
    reads: reads.slice(0, readsMax).map(({ tagType, value, antenna, rssiDbm, observedAtMs }) => ({
      tag_type: tagType,
      value,
      antenna,
      rssi_dbm: rssiDbm,
      observed_at: formatNullableTimestamp(observedAtMs),
    })),
    read_count: reads.length,
    reason: (outcome.kind === 'reads' ? outcome.loss : outcome.kind === 'rejected' ? outcome.reason : null) ?? null,
    missing: outcome.kind === 'reads' ? [...(outcome.missing ?? [])] : [],
  };
}

type Kept = { topic: string; payload: Uint8Array; received_at: number };

async function lastRejected(db: Queries, orgId: number, readerId: number): Promise<Kept[]> {
  return db.$queryRaw<Kept[]>`
    SELECT topic, payload, ${epochMs('received_at')} AS received_at
      FROM rejected_messages
     WHERE org_id = ${orgId} AND reader_id = ${readerId}
     ORDER BY received_at DESC, id
     LIMIT ${messagesMax}::int`;
}
