import { router } from '../trpc.js';
import { listMoves } from './moves.js';
import { summarize } from './summary.js';
import { readHomeTrends } from './trends.js';

/** What the app's first page shows. */
export const homeRouter = router({
  summary: summarize,
  trends: readHomeTrends,
  moves: listMoves,
});
