import { patternsPerSecond, patternsSavedMax } from './constants.js';

/** Whose learning it is, and the service's time in epoch milliseconds. */
export type Learner = { orgId: number; nowMs: number };

/**
 * Creates the budgets of organizations for learning, which takes more processor time than deciding: a busy organization
 * would otherwise slow down the reads of all others.
 */
export function createLearningBudgets() {
  const budgets = new Map<number, { patterns: number; atMs: number }>();

  return {
    /** Takes up to the wanted number of patterns from the budget of an organization, and returns how many there were. */
    take(wanted: number, { orgId, nowMs }: Learner): number {
      const { patterns, atMs } = budgets.get(orgId) ?? { patterns: patternsSavedMax, atMs: nowMs };
      const earned = (Math.max(0, nowMs - atMs) / 1000) * patternsPerSecond;
      const saved = Math.min(patternsSavedMax, patterns + earned);
      const taken = Math.min(wanted, Math.floor(saved));
      budgets.set(orgId, { patterns: saved - taken, atMs: nowMs });
      return taken;
    },
  };
}
