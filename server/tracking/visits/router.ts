import { router } from '../../trpc.js';
import { listPresentAssets } from './assets.js';
import { countVisits } from './counts.js';
import { listMovesInRange } from './moves.js';

/** The positions of assets in the past, from visits. */
export const visitsRouter = router({ counts: countVisits, assets: listPresentAssets, moves: listMovesInRange });
