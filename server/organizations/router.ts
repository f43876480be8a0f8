import { router } from '../trpc.js';
import { getCurrentOrg } from './get-current-org.js';

export const organizationsRouter = router({ me: getCurrentOrg });
