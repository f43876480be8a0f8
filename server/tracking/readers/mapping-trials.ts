import { rateLimited, serviceUnavailable } from '../../kernel/errors.js';
import { createFairSemaphore } from '../../kernel/fair-semaphore.js';
import { type Outcome, ProcessStoppedError } from '../../kernel/limited-process/limited-process.js';
import type { Log } from '../../kernel/log.js';
import { QueueFullError } from '../../kernel/semaphore.js';
import {
  createMappingProcess,
  type MappedMessage,
  type MappedOutcome,
  mappingMsFor,
  type MappingWork,
} from './mapping-process.js';
import type { Mapping } from './view.js';

const waitingMax = 30;
const waitingPerOrganizationMax = 3;
const retryAfterSeconds = 2;

/**
 * Evaluates mappings for people who write them, as the ingest broker does for readers, in a process of its own, so that
 * the messages of readers do not wait. Organizations take turns.
 *
 * @throws ContractError `rate_limited` if the organization has too many trials under way; `service_unavailable` if the
 *   service is stopping
 */
export type MappingTrials = {
  /** Returns what messages are by a mapping; what is behind a message that takes too much is left out. */
  judge(orgId: number, messages: readonly MappedMessage[]): Promise<MappedOutcome[]>;
  /** Returns the mapping by which a message may be read; undefined if finding it takes too much. */
  propose(orgId: number, message: Pick<MappedMessage, 'topic' | 'payload'>): Promise<Mapping | undefined>;
  stop(): Promise<void>;
};

export function createMappingTrials(log: Log): MappingTrials {
  const mappings = createMappingProcess<MappedOutcome | Mapping>(log);
  const run = createFairSemaphore({ runningMax: 1, waitingMax, waitingPerLineMax: waitingPerOrganizationMax });

  async function evaluate<Result>(orgId: number, work: MappingWork): Promise<Outcome<Result>> {
    try {
      return (await run([String(orgId)], () => mappings.run(work))) as Outcome<Result>;
    } catch (error) {
      if (error instanceof QueueFullError) throw rateLimited(retryAfterSeconds);
      if (error instanceof ProcessStoppedError) throw serviceUnavailable('The service is stopping', 1);
      throw error;
    }
  }

  return {
    async judge(orgId, messages) {
      const outcomes: MappedOutcome[] = [];
      for (const judge of messages) {
        const outcome = await evaluate<MappedOutcome>(orgId, { judge });
        if (typeof outcome === 'string') {
          outcomes.push({
            kind: 'rejected',
            reason: `the mapping takes more than ${mappingMsFor(judge.payload)} ms on it`,
          });
          break;
        }
        outcomes.push('result' in outcome ? outcome.result : { kind: 'rejected', reason: outcome.error });
      }
      return outcomes;
    },
    async propose(orgId, message) {
      const outcome = await evaluate<Mapping>(orgId, { propose: message });
      return typeof outcome === 'object' && 'result' in outcome ? outcome.result : undefined;
    },
    stop: () => mappings.stop(),
  };
}
