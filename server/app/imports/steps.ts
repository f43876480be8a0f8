import { authorStatement } from '../../people/activity/author.js';
import { recordBatch } from '../../people/activity/batches.js';
import { recordChange } from '../../people/activity/record.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { breaksUnique, isLockFault } from '../../kernel/database/faults.js';
import { isPlace } from './columns.js';
import { lockContainers, matchContainers, noticesOfContainers, packAssets } from './containers.js';
import { unknownOwnLocations } from './belongs-to.js';
import { checkDamage } from './damage-checks.js';
import { countEffects, type Counts, matchRows, targets } from './matching.js';
import type { Log } from '../../kernel/log.js';
import { noticesOfKinds, tooManyKinds } from './kinds.js';
import { releaseKeys, reserveKeys } from './key-reservations.js';
import { endLease, type Lease, type Outcome, removeContents } from './queries.js';
import type { Problem } from './row-reader.js';
import { matchPlaces, noticesOfPlaces, placeAssets, type Placing } from './placing.js';
import { checkSets } from './set-checks.js';
import { OvertakenError } from '../../tracking/scans/storage-queries.js';
import { checkStored } from './stored-checks.js';
import { type Job, stageRows, type Watch } from './staging.js';
import { lockAndCheckTree } from './tree-check.js';
import { lockTargets, writeStaged } from './writes.js';

// docs/decisions/0022-imports-whole-or-not-at-all.md explains why a file is applied in one transaction, under a lease.

/** The lease was lost: canceled, taken over by another process, or this one is stopping. */
export class LeaseLostError extends Error {}

/** The file no longer matches what is stored; nothing of it has been applied. */
class OutdatedFileError extends Error {
  readonly problems: readonly Problem[];
  readonly counts: Counts;

  constructor(problems: readonly Problem[], counts: Counts) {
    super('the file no longer matches the stored data');
    this.problems = problems;
    this.counts = counts;
  }
}

export type Step = { db: Database; log: Log; lease: Lease; job: Job; watch: Watch; placing: Placing };

/** Problems of a file that are stored; all are counted. */
const problemsKeptMax = 20_000;

/** A long file takes minutes; a step that takes longer than this is aborted and rolled back. */
const transactionOptions = { timeoutMs: 1_800_000 };

const appliesMax = 3;

/** Checks what a file would do and its problems, line by line, and changes nothing but the import itself. */
export async function checkFile({ db, lease, job, watch }: Step): Promise<void> {
  await db.$transaction(async (tx) => {
    const problems = await stageRows(tx, job, watch);
    await matchRows(tx, job);
    appendAll(problems, await checkSets(tx, job));
    appendAll(problems, await matchPlaces(tx, job));
    appendAll(problems, await unknownOwnLocations(tx, job));
    appendAll(problems, await matchContainers(tx, job));
    appendAll(problems, await tooManyKinds(tx, job));
    appendAll(problems, await checkDamage(tx, job));
    appendAll(problems, await checkStored(tx, job));
    appendAll(problems, await noticesOfPlaces(tx, job));
    appendAll(problems, await noticesOfContainers(tx, job));
    appendAll(problems, await noticesOfKinds(tx, job));
    watch.ensureWanted();
    await tx.$executeRaw`
      UPDATE import_rows r
         SET target_id = s.id, target_updated_at = s.updated_at, is_change = s.is_change
        FROM (SELECT line, id, updated_at, is_valid AND id IS NOT NULL AND (row_changes OR tags_change) AS is_change FROM staged) s
       WHERE r.org_id = ${job.orgId}
         AND r.import_id = ${job.importId}::uuid
         AND r.line = s.line
         AND (r.target_id, r.target_updated_at, r.is_change) IS DISTINCT FROM (s.id, s.updated_at, s.is_change)`;
    const counts = await countEffects(tx);
    await endWithProblems(tx, { lease, job }, { status: 'checked', problems, counts });
  }, transactionOptions);
}

/**
 * Applies a checked file completely or not at all, in one transaction in which everything is checked again: a row that
 * was created, changed or deleted since the check is reported with its line, and then nothing is applied.
 */
export async function applyFile(step: Step): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const changed = await applyOnce(step);
      if (changed >= analyzedMin) await analyze(step);
      return;
    } catch (error) {
      await releaseKeys(step.db, { ...step.job, token: step.lease.token });
      if (error instanceof OutdatedFileError) {
        await reject(step, error);
        return;
      }
      // The next check finds, with its line, what another transaction stored between our last check and our write.
      if (attempt >= appliesMax || !isLostRace(error)) throw error;
      step.watch.ensureWanted();
    }
  }
}

/** Returns how many rows were created or changed. */
async function applyOnce({ db, lease, job, watch, placing }: Step): Promise<number> {
  if (job.columns.some(isPlace)) await placing.locating.prepare([job.orgId]);
  return db.$transaction(async (tx) => {
    const problems = await stageRows(tx, job, watch);
    await lockContainers(tx, job);
    await lockTargets(tx, job);
    await matchRows(tx, job);
    appendAll(problems, await changedSinceCheck(tx, job));
    appendAll(problems, await checkSets(tx, job));
    appendAll(problems, await matchPlaces(tx, job));
    appendAll(problems, await unknownOwnLocations(tx, job));
    appendAll(problems, await matchContainers(tx, job));
    appendAll(problems, await tooManyKinds(tx, job));
    // The person who applies the file has seen its warnings.
    appendAll(
      problems,
      (await checkDamage(tx, job)).filter(({ isWarning }) => !isWarning),
    );
    const counts = await countEffects(tx);
    if (problems.length > 0) throw new OutdatedFileError(problems, counts);
    watch.ensureWanted();
    await reserveKeys({ db, tx }, job, lease);
    await tx.$queryRaw(authorStatement(job.author));
    await writeStaged(tx, job);
    await placeAssets(tx, job, placing);
    await packAssets(tx, job, placing);
    await recordImport(tx, job, counts);
    await removeContents(tx, job.orgId, job.importId);
    if (job.kind === 'locations') {
      const misplaced = await lockAndCheckTree(tx, job);
      if (misplaced.length > 0) throw new OutdatedFileError(misplaced, counts);
    }
    const summary = { ...counts, problemCount: 0, problemLines: 0, warningCount: 0, noticeCount: 0 };
    if (!(await endLease(tx, lease, { status: 'applied', summary }))) throw new LeaseLostError();
    return counts.toCreate + counts.toChange;
  }, transactionOptions);
}

/** From this many rows on, the planner's statistics are updated at once, without waiting for autovacuum. */
const analyzedMin = 5000;

/**
 * Updates the statistics, and moves entries of the search indexes from their pending lists, which searches read
 * completely.
 */
async function analyze({ db, job, log }: Step): Promise<void> {
  try {
    await db.$executeRaw`ANALYZE ${targets[job.kind].table}, tags`;
    await db.$executeRaw`
      SELECT gin_clean_pending_list(name::regclass) FROM unnest(ARRAY[${`${job.kind}_search`}, 'tags_search']) AS index (name)`;
  } catch (error) {
    log.warn({ err: error, importId: job.importId }, 'statistics could not be renewed after an import');
  }
}

/** Appends problems one by one: spreading a very long list into `push` would overflow the stack. */
function appendAll(problems: Problem[], more: readonly Problem[]): void {
  for (const problem of more) problems.push(problem);
}

async function recordImport(tx: TransactionClient, job: Job, { toCreate, toChange }: Counts): Promise<void> {
  await recordChange(tx, job, {
    kind: 'import',
    objectId: job.importId,
    objectName: job.fileName,
    action: 'applied',
    after: { content: job.kind, rows_created: toCreate, rows_changed: toChange },
  });
  const count = toCreate + toChange;
  if (count === 0) return;
  const objectKind = job.kind === 'assets' ? 'asset' : 'location';
  await recordBatch(tx, job, { kind: 'import', objectKind, count });
}

function isLostRace(error: unknown): boolean {
  const indexes = ['asset_kinds_name', 'assets_live_external_key', 'locations_live_external_key', 'tags_live_pair'];
  return isLockFault(error) || error instanceof OvertakenError || indexes.some((index) => breaksUnique(error, index));
}

/** Returns rows that differ from the check, whose result the person who applies has seen. */
async function changedSinceCheck(tx: TransactionClient, { kind, orgId, importId }: Job): Promise<Problem[]> {
  const noun = kind === 'assets' ? 'asset' : 'location';
  const rows = await tx.$queryRaw<{ line: number; key: string; what: 'created' | 'deleted' | 'changed' }[]>`
    SELECT s.line, s.external_key AS key,
           CASE WHEN r.target_id IS NULL THEN 'created' WHEN s.id IS DISTINCT FROM r.target_id THEN 'deleted' ELSE 'changed' END AS what
      FROM staged s
      JOIN import_rows r ON r.org_id = ${orgId} AND r.import_id = ${importId}::uuid AND r.line = s.line
     WHERE (s.id, s.updated_at) IS DISTINCT FROM (r.target_id, r.target_updated_at)
     ORDER BY s.line`;
  return rows.map(({ line, key, what }) => ({
    line,
    column: 'external_key',
    message:
      what === 'created'
        ? `${noun} with external_key ${key} already exists`
        : `${noun} with external_key ${key} was ${what} after the check`,
  }));
}

async function reject({ db, lease, job }: Step, { problems, counts }: OutdatedFileError): Promise<void> {
  const failure = 'import_outdated';
  await db.$transaction((tx) => endWithProblems(tx, { lease, job }, { status: 'checked', failure, problems, counts }));
}

type Found = Pick<Outcome, 'status' | 'failure'> & { problems: readonly Problem[]; counts: Counts };

async function endWithProblems(
  tx: TransactionClient,
  { lease, job }: Pick<Step, 'lease' | 'job'>,
  found: Found,
): Promise<void> {
  const { problems, counts, ...outcome } = found;
  const errors = problems.filter(({ isWarning, isNotice }) => !isWarning && !isNotice);
  const noticeCount = problems.filter(({ isNotice }) => isNotice).length;
  const summary = {
    ...counts,
    problemCount: errors.length,
    problemLines: new Set(errors.map(({ line }) => line)).size,
    warningCount: problems.length - errors.length - noticeCount,
    noticeCount,
  };
  if (!(await endLease(tx, lease, { ...outcome, summary }))) throw new LeaseLostError();
  const weight = ({ isWarning, isNotice }: Problem) => (isNotice ? 2 : isWarning ? 1 : 0);
  const rank = ({ column }: Problem) => (column === '' ? -1 : job.columns.indexOf(column));
  const kept = problems
    .toSorted((a, b) => weight(a) - weight(b) || a.line - b.line || rank(a) - rank(b))
    .slice(0, problemsKeptMax);
  await tx.$executeRaw`
    DELETE FROM import_problems WHERE org_id = ${lease.orgId} AND import_id = ${lease.importId}::uuid`;
  if (kept.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO import_problems (org_id, import_id, place, line, column_name, message, reason, is_warning, is_notice)
    SELECT ${lease.orgId}, ${lease.importId}::uuid, given.place, given.line, given.column_name, given.message, given.reason, given.is_warning,
           given.is_notice
      FROM json_to_recordset(${JSON.stringify(
        kept.map(({ line, column, message, reason, isWarning = false, isNotice = false }, place) => ({
          place,
          line,
          column_name: column,
          message,
          reason,
          is_warning: isWarning,
          is_notice: isNotice,
        })),
      )}::json) AS given (place int, line int, column_name text, message text, reason json, is_warning boolean, is_notice boolean)`;
}
