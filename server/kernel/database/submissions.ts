import { fail, field } from '../validation/failure.js';
import { missing, wrongType } from '../validation/fields.js';
import type { TransactionClient } from './client.js';

// What devices submit, each once: scans, audits and reported problems. A repetition with the same id gets the same answer.

const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** A ULID in either case; both mean the same id. */
export const submissionIdField = field<string>(
  (value) => {
    if (value === undefined || value === null) return missing;
    if (typeof value !== 'string') return wrongType('string', value);
    return ulidPattern.test(value) ? value.toUpperCase() : fail('not_ulid', { pattern: ulidPattern.source });
  },
  { type: 'string', pattern: ulidPattern.source },
);

type Submission<Results> = { submissionId: string; store: () => Promise<Results> };

/**
 * Stores a submission with `store`. If one with this id was stored before, returns its results instead, and `isNew` is false. If one is
 * just being stored, waits for it, and stores this one if that fails.
 */
export async function storeOnce<Results>(
  tx: TransactionClient,
  orgId: number,
  { submissionId, store }: Submission<Results>,
): Promise<{ results: Results; isNew: boolean }> {
  if (!(await claimSubmission(tx, orgId, submissionId))) {
    return { results: await findSubmissionResults<Results>(tx, orgId, submissionId), isNew: false };
  }
  const results = await store();
  await saveSubmissionResults(tx, orgId, { submissionId, results });
  return { results, isNew: true };
}

/** Inserts the row of a submission. Returns false if a submission with this id exists. */
async function claimSubmission(tx: TransactionClient, orgId: number, submissionId: string): Promise<boolean> {
  const claimed = await tx.$executeRaw`
    INSERT INTO scan_submissions (org_id, submission_id, results)
    VALUES (${orgId}::int, ${submissionId}, '[]')
    ON CONFLICT (org_id, submission_id) DO NOTHING`;
  return claimed > 0;
}

/** Returns the answer to a submission that was claimed before. */
async function findSubmissionResults<Results>(
  tx: TransactionClient,
  orgId: number,
  submissionId: string,
): Promise<Results> {
  const rows = await tx.$queryRaw<[{ results: Results }]>`
    SELECT results FROM scan_submissions WHERE org_id = ${orgId} AND submission_id = ${submissionId}`;
  return rows[0].results;
}

async function saveSubmissionResults(
  tx: TransactionClient,
  orgId: number,
  { submissionId, results }: { submissionId: string; results: unknown },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE scan_submissions
       SET results = ${JSON.stringify(results)}::jsonb
     WHERE org_id = ${orgId} AND submission_id = ${submissionId}`;
}
