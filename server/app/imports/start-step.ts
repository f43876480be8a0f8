import { randomUUID } from 'node:crypto';
import type { Author } from '../../people/activity/author.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import type { Services } from '../../services.js';
import { sessionProcedure } from '../../trpc.js';
import { isOtherUnderWay, lockImport, takeLease } from './queries.js';
import { applyInput, importIdInput } from './schemas.js';
import { type ImportFailure, type ImportRow, importNotFound, type ImportView, viewImport } from './view.js';

/**
 * Starts to check a file, which changes nothing but the import: what would be created, changed and left alone, and the
 * problems of each line. Returns at once; `get` returns the progress.
 */
export const checkImport = sessionProcedure('manager')
  .input(importIdInput)
  .mutation(({ ctx, input }) => startStep(ctx, input.import_id, { step: 'checking' }));

/**
 * Starts to apply a file that was checked and has no problems, and whose warnings a person has seen, completely or not at all.
 * Returns at once.
 */
export const applyImport = sessionProcedure('manager')
  .input(applyInput)
  .mutation(({ ctx, input }) =>
    startStep(ctx, input.import_id, { step: 'applying', despiteWarnings: input.despite_warnings }),
  );

type Begin = { step: 'checking' | 'applying'; despiteWarnings?: boolean };

/**
 * Starts a step of an import. The second of two callers finds the import in progress, even if the first one is in
 * another process.
 */
async function startStep(
  { orgId, author, services }: { orgId: number; author: Author; services: Services },
  importId: string,
  begin: Begin,
): Promise<ImportView> {
  const { step } = begin;
  const lease = { orgId, importId, token: randomUUID() };
  const row = await services.db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement('imports', orgId));
    const current = await lockImport(tx, orgId, importId);
    if (!current) throw importNotFound();
    const obstacle = obstacleTo(begin, current);
    if (obstacle !== undefined) throw refusal(obstacle);
    if (await isOtherUnderWay(tx, orgId, importId)) {
      throw refusal('other_import_running');
    }
    return takeLease(tx, lease, step);
  });
  if (!row) throw importNotFound();
  services.importRuns.start(step, lease, {
    kind: row.kind,
    fileName: row.file_name,
    columns: row.columns,
    author: { entryPoint: 'import', actor: author.actor, batchId: importId },
  });
  return viewImport(row);
}

type Obstacle =
  | ImportFailure
  | 'import_incomplete'
  | 'import_running'
  | 'import_applied'
  | 'import_canceled'
  | 'import_unchecked'
  | 'import_has_warnings'
  | 'import_has_problems';

/** Returns why a step cannot begin now. */
function obstacleTo({ step, despiteWarnings = false }: Begin, row: ImportRow): Obstacle | undefined {
  const { status, failure } = viewImport(row);
  switch (status) {
    case 'uploading':
      return 'import_incomplete';
    case 'checking':
    case 'applying':
      return 'import_running';
    case 'applied':
      return 'import_applied';
    case 'cancelled':
      return 'import_canceled';
    case 'received':
      return step === 'checking' ? undefined : 'import_unchecked';
    case 'checked': {
      if (step === 'checking') return undefined;
      if (row.problem_count === 0) {
        const isUnseen = (row.warning_count ?? 0) > 0 && !despiteWarnings;
        return isUnseen ? 'import_has_warnings' : undefined;
      }
      return failure ?? 'import_has_problems';
    }
  }
}
