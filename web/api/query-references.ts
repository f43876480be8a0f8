import { partialMatchKey, type QueryKey } from '@tanstack/react-query';

/** A procedure or a noun of `useTRPC()`, such as `trpc.assets.table` or `trpc.assets`. */
export type Reference = { pathKey(): QueryKey };

/** Returns a function that tells whether a query calls one of these procedures, or a procedure of one of these nouns. */
export function queriesOf(...references: readonly Reference[]): (query: { queryKey: QueryKey }) => boolean {
  const keys = references.map((reference) => reference.pathKey());
  return ({ queryKey }) => keys.some((key) => partialMatchKey(queryKey, key));
}
