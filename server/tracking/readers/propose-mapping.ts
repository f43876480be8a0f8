import { sessionProcedure } from '../../trpc.js';
import type { MappingPaths, TimeUnit } from './formats.js';
import type { TagType } from '../../things/tags/schemas.js';
import { readerNotFound } from './not-found.js';
import { findReader } from './queries.js';
import { proposeMappingInput } from './schemas.js';

/** A mapping with its settings. `value` is empty if the message has no tags. */
export type ProposedMapping = { mapping: MappingPaths; time_unit: TimeUnit; tag_type: TagType };

/** Proposes the mapping by which a message of a reader can be read. Saved as proposed, it reads the tags of the message. */
export const proposeMapping = sessionProcedure('admin')
  .input(proposeMappingInput)
  .mutation(async ({ ctx, input: { id, topic, message } }): Promise<ProposedMapping> => {
    const { db, mappingTrials } = ctx.services;
    if (!(await findReader(db, ctx.orgId, id))) throw readerNotFound();
    const found = await mappingTrials.propose(ctx.orgId, { topic, payload: Buffer.from(message) });
    const { time_unit, tag_type, ...mapping } = found ?? { value: '', time_unit: 'rfc3339', tag_type: 'rfid' };
    return { mapping, time_unit, tag_type };
  });
