import { router } from '../../trpc.js';
import {
  confirmSignOn,
  connectSignOn,
  disconnectSignOn,
  finishSignOn,
  signInMeans,
  startSignOn,
} from '../sign-on/procedures.js';
import { acceptInvitation } from './accept-invitation.js';
import { changePassword } from './change-password.js';
import { confirmAddress, requestAddressConfirmation } from './confirm-address.js';
import { chooseMemberships, earlierMemberships } from './earlier-memberships.js';
import { invitation } from './invitation.js';
import { me, updateProfile } from './me.js';
import { getPreferences, noteDevice, updatePreferences } from './preferences.js';
import { refresh } from './refresh.js';
import { requestPasswordReset, resetPassword } from './reset-password.js';
import { signIn } from './sign-in.js';
import { signOut } from './sign-out.js';
import { signUp } from './sign-up.js';
import { status } from './status.js';
import { switchOrganization } from './switch-organization.js';

/** Signing in and out, accounts, and sessions. */
export const sessionRouter = router({
  status,
  signUp,
  signIn,
  invitation,
  acceptInvitation,
  refresh,
  signOut,
  me,
  switchOrganization,
  updateProfile,
  preferences: getPreferences,
  updatePreferences,
  noteDevice,
  changePassword,
  requestPasswordReset,
  resetPassword,
  requestAddressConfirmation,
  confirmAddress,
  earlierMemberships,
  chooseMemberships,
  startSignOn,
  finishSignOn,
  confirmSignOn,
  connectSignOn,
  disconnectSignOn,
  signInMeans,
});
