import { router } from '../trpc.js';
import { addRows } from './add-rows.js';
import { cancelImport } from './cancel-import.js';
import { createImport } from './create-import.js';
import { listChanges } from './list-changes.js';
import { getImport, listImports, listProblems } from './read-imports.js';
import { applyImport, checkImport } from './start-step.js';

/** Files of assets or locations: announced, sent in chunks, checked, applied. */
export const importsRouter = router({
  create: createImport,
  addRows,
  check: checkImport,
  // `apply` is a word of JavaScript's own that tRPC keeps free.
  applyFile: applyImport,
  cancel: cancelImport,
  get: getImport,
  list: listImports,
  problems: listProblems,
  changes: listChanges,
});
