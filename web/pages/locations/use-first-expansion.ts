import { useEffect, useRef } from 'react';
import { useServer } from '../../api/use-server.js';
import type { TreeNode } from './tree-context.js';

/** About the number of rows on a screen. */
const rowsMax = 20;
const levelsMax = 3;
/** The page size of `TreeLevel`, so that both share the cached answers. */
const pageSize = 100;

type Options = { isFresh: boolean; setOpen: (id: number, isOpen: boolean) => void };

/**
 * Opens the tree when a person sees it for the first time: whole levels, as long as all rows fit on a screen. A single
 * top-level location is always opened.
 */
export function useFirstExpansion(top: readonly TreeNode[] | undefined, { isFresh, setOpen }: Options): void {
  const { trpc, answers: queries } = useServer();
  const isDone = useRef(!isFresh);
  useEffect(() => {
    if (isDone.current || !top || top.length === 0) return;
    isDone.current = true;

    async function expand(first: readonly TreeNode[]): Promise<void> {
      let rows = first.length;
      let level = first;
      for (let depth = 0; depth < levelsMax; depth += 1) {
        const parents = level.filter((node) => node.children_count > 0);
        const children = parents.reduce((sum, node) => sum + node.children_count, 0);
        const isSingle = depth === 0 && first.length === 1;
        if (children === 0 || (rows + children > rowsMax && !isSingle)) return;
        for (const { id } of parents) setOpen(id, true);
        rows += children;
        const pages = await Promise.all(
          parents.map(({ id }) =>
            queries.query(trpc.locations.level.queryOptions({ parent_id: id, limit: pageSize, offset: 0 })),
          ),
        );
        level = pages.flatMap(({ data }) => data);
      }
    }
    // The levels show errors themselves.
    void expand(top).catch(() => {});
  }, [top, queries, trpc, setOpen]);
}
