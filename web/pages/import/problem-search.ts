import type { Api, Outputs } from '../../api/trpc.js';
import { problemText } from './problem-text.js';
import { foldText } from '../../ui/fold-text.js';

export type RowProblem = Outputs['imports']['problems']['data'][number];

/** The most problems that the service returns in one answer. */
const pageSize = 1000;

/** Loads all problems of an import that the service keeps, by line. */
export async function loadProblems(api: Api, importId: string): Promise<RowProblem[]> {
  const page = (offset: number) => api.imports.problems.query({ import_id: importId, limit: pageSize, offset });
  const first = await page(0);
  const others = Array.from({ length: Math.ceil(first.total_count / pageSize) - 1 }, (_, n) =>
    page((n + 1) * pageSize),
  );
  return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
}

/** A problem with the text that is searched. */
export type FindableProblem = RowProblem & { text: string };

/**
 * Adds the searched text: the problem in the person's language, the name and the value of the row, and the key or tag that it is about,
 * which is not always shown.
 */
export function findable(problem: RowProblem): FindableProblem {
  const { line, column, message, name, value } = problem;
  return { ...problem, text: foldText([line, column, problemText(problem), message, name, value].join(' ')) };
}

/** Returns the problems that have all words of a text, in any order. A whole number is a line or part of a key or tag. */
export function searchProblems(problems: readonly FindableProblem[], q: string): FindableProblem[] {
  const words = foldText(q)
    .split(/\s+/)
    .filter((word) => word !== '');
  return problems.filter(({ text }) => words.every((word) => text.includes(word)));
}
