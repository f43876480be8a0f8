import { router } from '../trpc.js';
import { invite } from './invite.js';
import { listInvitations } from './list-invitations.js';
import { listMembers } from './list-members.js';
import { removeMember } from './remove-member.js';
import { revokeInvitation } from './revoke-invitation.js';
import { setRole } from './set-role.js';

/** Who belongs to an organization, and as what; and the links that let others in. */
export const membersRouter = router({
  list: listMembers,
  setRole,
  remove: removeMember,
  invite,
  invitations: listInvitations,
  revokeInvitation,
});
