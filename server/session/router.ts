import { router } from '../trpc.js';
import { me } from './me.js';
import { refresh } from './refresh.js';
import { signIn } from './sign-in.js';
import { signOut } from './sign-out.js';
import { signUp } from './sign-up.js';
import { switchOrganization } from './switch-organization.js';

/** People: how they come in, who they are, and how they leave. */
export const sessionRouter = router({ signUp, signIn, refresh, signOut, me, switchOrganization });
