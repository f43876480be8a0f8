import { router } from '../../trpc.js';
import { addDomain, listDomains, removeDomain, setDomainRole, verifyDomainRecord } from './procedures.js';

/** Email domains whose people become members at their first single sign-on. */
export const emailDomainsRouter = router({
  list: listDomains,
  add: addDomain,
  setRole: setDomainRole,
  verify: verifyDomainRecord,
  remove: removeDomain,
});
