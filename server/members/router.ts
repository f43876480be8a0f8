import { router } from '../trpc.js';
import { listMembers } from './list-members.js';
import { removeMember } from './remove-member.js';
import { setRole } from './set-role.js';

/** Who belongs to an organisation, and as what. */
export const membersRouter = router({ list: listMembers, setRole, remove: removeMember });
