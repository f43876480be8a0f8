import { router } from '../../trpc.js';
import { listActivity } from './list.js';
import { listActors } from './list-actors.js';

/** The activity log. */
export const activityRouter = router({ list: listActivity, actors: listActors });
