import { router } from '../../trpc.js';
import { invite, listInvitations, revokeInvitation } from './invitations.js';
import { listMembers, removeMember, setRole } from './members.js';

/** The members of an organization with their roles, and invitation links. */
export const membersRouter = router({
  list: listMembers,
  setRole,
  remove: removeMember,
  invite,
  invitations: listInvitations,
  revokeInvitation,
});
