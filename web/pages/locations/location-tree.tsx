import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { problemOf } from '../../api/errors.js';
import classes from './tree.module.css';
import { type NodeAction, type RefusedMove, type Tree, TreeContext, type TreeNode } from './tree-context.js';
import { createTreeKeys } from './tree-keys.js';
import { TreeLevel } from './tree-level.js';
import { useMove } from './use-move.js';

/** The location to show and focus once its row is there. A new object with the same id focuses it again. */
export type Revealed = { id: number };

export type LocationTreeProps = {
  canChange: boolean;
  onAct: (action: NodeAction, node: TreeNode) => void;
  openIds: ReadonlySet<number>;
  setOpen: (id: number, isOpen: boolean) => void;
  revealed: Revealed | null;
};

/** The tree of locations, for pointer and keyboard. */
export function LocationTree({ canChange, onAct, openIds, setOpen, revealed }: LocationTreeProps) {
  const navigate = useNavigate();
  const move = useMove();
  const [currentId, setCurrent] = useState<number | null>(null);
  const [dragged, setDragged] = useState<TreeNode | null>(null);
  const [refused, setRefused] = useState<RefusedMove | null>(null);
  const root = useRevealed(revealed);

  const drop = useCallback(
    async (parentId: number | null) => {
      if (!dragged) return;
      setDragged(null);
      setRefused(null);
      try {
        await move(dragged.id, parentId);
        if (parentId !== null) setOpen(parentId, true);
      } catch (error) {
        const { detail } = problemOf(error, dragged.name);
        setRefused({ id: dragged.id, title: t`Not moved`, detail });
      }
    },
    [dragged, move, setOpen],
  );

  const tree = useMemo<Tree>(
    () => ({
      openIds,
      setOpen,
      currentId,
      setCurrent,
      canChange,
      act: onAct,
      dragged,
      setDragged,
      drop: (parentId) => void drop(parentId),
      refused,
      forgetRefused: () => setRefused(null),
    }),
    [openIds, setOpen, currentId, canChange, onAct, dragged, drop, refused],
  );

  const onKeyDown = useMemo(
    () =>
      createTreeKeys({
        setOpen,
        activate: (item) => {
          const { id } = item.dataset;
          if (id === undefined) item.click();
          else void navigate({ to: '/locations/$locationId', params: { locationId: id } });
        },
      }),
    [setOpen, navigate],
  );

  return (
    <TreeContext value={tree}>
      <ul role="tree" aria-label={t`Locations`} className={classes['tree']} ref={root} onKeyDown={onKeyDown}>
        <TreeLevel parentId={null} level={1} />
      </ul>
      {/* Placed below the rows, so that no row moves away from under the pointer. */}
      {dragged && dragged.parent_id !== null && <TopOfTree onDrop={() => tree.drop(null)} />}
    </TreeContext>
  );
}

/** Focuses the row of a location as soon as it is there; its levels may still be loading. */
function useRevealed(revealed: Revealed | null) {
  const root = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const list = root.current;
    if (!revealed || !list) return undefined;
    const goTo = () => {
      const row = list.querySelector<HTMLElement>(`[data-id="${revealed.id}"]`);
      row?.focus();
      row?.scrollIntoView({ block: 'nearest' });
      return row !== null;
    };
    if (goTo()) return undefined;
    const watch = new MutationObserver(() => {
      if (goTo()) watch.disconnect();
    });
    watch.observe(list, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [revealed]);
  return root;
}

function TopOfTree({ onDrop }: { onDrop: () => void }) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      className={classes['top']}
      data-drop={isOver}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <Trans>Drop here to make it a top-level location</Trans>
    </div>
  );
}
