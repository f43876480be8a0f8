import { router } from '../trpc.js';
import { listPresentAssets } from './assets.js';
import { countVisits } from './counts.js';
import { listMovesInRange } from './moves.js';

/** What was where in the past, as visits tell it. */
export const visitsRouter = router({ counts: countVisits, assets: listPresentAssets, moves: listMovesInRange });
