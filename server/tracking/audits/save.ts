import { recordChange } from '../../people/activity/record.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { acceptSubmission } from '../scans/submit.js';
import type { SubmitResult } from '../scans/schemas.js';
import { sessionProcedure } from '../../trpc.js';
import { auditItemsKeptMax, auditsKeptMax, insertAudit, removeSurplusAudits } from './save-queries.js';
import { saveInput } from './schemas.js';

/**
 * Saves an audit of a location, and places everything that was found there like a handheld submission, in one
 * transaction. The id of the submission is the id of the audit, so an audit that is sent twice is saved once.
 */
export const saveAudit = sessionProcedure('operator')
  .input(saveInput)
  .mutation(async ({ ctx, input }): Promise<{ results: SubmitResult[] }> => {
    const { started_at: startedAt, expected, ...submission } = input;
    const { orgId, author } = ctx;
    const { userId } = ctx.actor;
    const nowMs = Date.now();
    const clockFaultMs = nowMs - (input.sent_at ?? nowMs);
    return acceptSubmission(
      ctx.services,
      { orgId, userId },
      {
        input: submission,
        isOfOneLocation: true,
        async record(tx, { reads, assetIds }) {
          await tx.$queryRaw(lockStatement('audits', orgId));
          const unassigned = submission.reads.flatMap(({ value }, index) =>
            value !== undefined && reads[index]?.isKnown === false ? [value] : [],
          );
          // If the person's clock is ahead, the audit would begin after its end.
          const audit = {
            id: submission.submission_id,
            locationId: submission.location_id,
            startedAtMs: Math.min(startedAt + clockFaultMs, nowMs),
            userId,
          };
          const counts = await insertAudit(tx, orgId, { audit, items: { expected, seen: assetIds, unassigned } });
          await removeSurplusAudits(tx, orgId, { auditsMax: auditsKeptMax, itemsMax: auditItemsKeptMax });
          const [location] = await tx.$queryRaw<[{ name: string }]>`
            SELECT name FROM locations WHERE org_id = ${orgId} AND id = ${submission.location_id}`;
          const change = { kind: 'audit', objectId: audit.id, objectName: location.name, action: 'created' } as const;
          await recordChange(tx, { orgId, author }, { ...change, after: counts });
        },
      },
    );
  });
