import { router } from '../../trpc.js';
import { compareAudits, getAudit, listAuditItems, listAudits } from './lists.js';
import { saveAudit } from './save.js';

/** Audits of locations: what was expected there, and what was found. */
export const auditsRouter = router({
  save: saveAudit,
  list: listAudits,
  get: getAudit,
  items: listAuditItems,
  compare: compareAudits,
});
