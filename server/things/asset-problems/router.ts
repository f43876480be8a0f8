import { router } from '../../trpc.js';
import { markProblemResolved, reportProblem } from './procedures.js';

export const assetProblemsRouter = router({ report: reportProblem, mark: markProblemResolved });
