import { router } from '../../trpc.js';
import { addSampleData, removeSampleData } from './procedures.js';

/** Sample rows with which a new organization can be tried out. */
export const sampleDataRouter = router({ add: addSampleData, remove: removeSampleData });
