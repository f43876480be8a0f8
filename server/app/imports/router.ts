import { router } from '../../trpc.js';
import { addRows } from './add-rows.js';
import { cancelImport } from './cancel-import.js';
import { createImport } from './create-import.js';
import { listChanges } from './list-changes.js';
import { getImport, listImports, listProblems } from './read-imports.js';
import { applyImport, checkImport } from './start-step.js';

/** Imports of assets or locations from files: created, sent in chunks, checked, applied. */
export const importsRouter = router({
  create: createImport,
  addRows,
  check: checkImport,
  // tRPC reserves `apply`, which is a method of JavaScript functions.
  applyFile: applyImport,
  cancel: cancelImport,
  get: getImport,
  list: listImports,
  problems: listProblems,
  changes: listChanges,
});
