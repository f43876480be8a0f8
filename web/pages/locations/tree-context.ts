import { createContext, useContext } from 'react';
import type { Outputs } from '../../api/trpc.js';

export type TreeNode = Outputs['locations']['level']['data'][number];

/** An action on a location in the tree. */
export type NodeAction = 'rename' | 'move' | 'add' | 'delete';

/** A refused move, shown next to the location, which has not moved. */
export type RefusedMove = { id: number; title: string; detail: string };

/** The data that all rows of the tree share. */
export type Tree = {
  openIds: ReadonlySet<number>;
  setOpen(id: number, isOpen: boolean): void;
  /** The row that Tab focuses. Null until a row was focused; then it is the first row. */
  currentId: number | null;
  setCurrent(id: number): void;
  canChange: boolean;
  act(action: NodeAction, node: TreeNode): void;
  dragged: TreeNode | null;
  setDragged(node: TreeNode | null): void;
  /** Moves the dragged location below another, or to the top. */
  drop(parentId: number | null): void;
  refused: RefusedMove | null;
  forgetRefused(): void;
};

export const TreeContext = createContext<Tree | null>(null);

export function useTree(): Tree {
  const tree = useContext(TreeContext);
  if (!tree) throw new Error('no tree above');
  return tree;
}
