import { router } from '../trpc.js';
import { listMoves } from './moves.js';
import { summarize } from './summary.js';

/** What the app's first page shows. */
export const homeRouter = router({
  summary: summarize,
  moves: listMoves,
});
