import { router } from '../../trpc.js';
import { invite } from './invite.js';
import { listInvitations } from './list-invitations.js';
import { listMembers } from './list-members.js';
import { removeMember } from './remove-member.js';
import { revokeInvitation } from './revoke-invitation.js';
import { setRole } from './set-role.js';

/** The members of an organization with their roles, and invitation links. */
export const membersRouter = router({
  list: listMembers,
  setRole,
  remove: removeMember,
  invite,
  invitations: listInvitations,
  revokeInvitation,
});
