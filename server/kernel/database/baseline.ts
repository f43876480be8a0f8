import { StartError } from '../start-error.js';

/** The migration with the whole schema up to its date. It replaced the migrations before it. */
export const baselineName = '20261125190000_baseline';

/** The newest migration that the baseline replaced. A database that has it has the schema of the baseline. */
const newestReplaced = '20261216000001_search_with_fewer_sequences';

/** The last commit with the replaced migrations. */
const lastCommitWithReplaced = '93fe7bea';

/**
 * Returns whether the migrations of a database or a backup include all migrations that the baseline replaced.
 *
 * @throws StartError if they include only some of these migrations
 */
export function areReplaced(applied: readonly { readonly name: string }[], what: string): boolean {
  const names = applied.map(({ name }) => name);
  if (names.length === 0 || names.includes(baselineName)) return false;
  if (names.includes(newestReplaced)) return true;
  throw new StartError(
    `${what} is from before the first release, and lacks migrations that the release replaced by one: ` +
      `start the commit ${lastCommitWithReplaced} on it once, then this release`,
  );
}
