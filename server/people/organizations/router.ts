import { router } from '../../trpc.js';
import { endFirstSteps, firstSteps } from './first-steps.js';
import { getCurrentOrg } from './get-current-org.js';
import { renameOrganization } from './rename-organization.js';

export const organizationsRouter = router({ me: getCurrentOrg, rename: renameOrganization, firstSteps, endFirstSteps });
