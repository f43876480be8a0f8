import { createLimitedProcess, type LimitedProcess } from '../../kernel/limited-process/limited-process.js';
import type { Log } from '../../kernel/log.js';
import type { TagRead } from '../scans/reader-message.js';
import type { Mapping } from './view.js';

/**
 * The processor time that a message may take, from parsing to reads: a part for any message, and a part for its length, since
 * a usual message of 240 KB takes more than the first part where other programs use the processor's caches.
 */
const messageMsMax = 100;
const kilobyteMsMax = 1;
/** The time if the process hardly gets any. */
const elapsedMsMax = 2000;
/** The memory of the values of a message. */
export const mappingMegabytesMax = 128;
const semiSpaceMegabytesMax = 16;

/** A message with the mapping by which it is judged. */
export type MappedMessage = { topic: string; payload: Uint8Array; onReadsTopic: boolean; mapping: Mapping | null };

/** What a message is by a mapping. */
export type MappedOutcome =
  | { kind: 'reads'; reads: readonly TagRead[]; loss?: string; missing?: readonly string[] }
  | { kind: 'status' }
  | { kind: 'rejected'; reason: string };

/** The work of the process: to judge a message, or to propose a mapping for it. */
export type MappingWork = { judge: MappedMessage } | { propose: Pick<MappedMessage, 'topic' | 'payload'> };

/** Returns the processor time that a message may take, in milliseconds. */
export function mappingMsFor(payload: Uint8Array): number {
  return messageMsMax + Math.ceil(payload.length / 1024) * kilobyteMsMax;
}

/** Creates the process that evaluates mappings, which administrators write, with its limits. */
export function createMappingProcess<Result>(log: Log): LimitedProcess<MappingWork, Result> {
  return createLimitedProcess<MappingWork, Result>({
    file: 'ingest-broker/mappings/process.js',
    nodeOptions: [`--max-old-space-size=${mappingMegabytesMax}`, `--max-semi-space-size=${semiSpaceMegabytesMax}`],
    processorMsFor: (work) => mappingMsFor('judge' in work ? work.judge.payload : work.propose.payload),
    elapsedMsMax,
    log,
  });
}
