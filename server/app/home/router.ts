import { router } from '../../trpc.js';
import { listMoves } from './moves.js';
import { summarize } from './summary.js';
import { readHomeTrends } from './trends.js';

/** The procedures of the app's home page. */
export const homeRouter = router({
  summary: summarize,
  trends: readHomeTrends,
  moves: listMoves,
});
