import { router } from '../../trpc.js';
import { compareAudits, getAudit, listAuditItems, listAudits } from './lists.js';
import { saveAudit } from './save.js';

/** Audits of locations: which assets were expected there, and which were found. */
export const auditsRouter = router({
  save: saveAudit,
  list: listAudits,
  get: getAudit,
  items: listAuditItems,
  compare: compareAudits,
});
