import { numberText } from '../../ui/quantity.js';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { ProblemState } from '../../ui/problem-state.js';
import classes from './tree.module.css';
import { TreeRow } from './tree-row.js';

const pageSize = 100;

type TreeLevelProps = { parentId: number | null; level: number };

/** The children of a location, loaded a hundred at a time when it is opened. */
export function TreeLevel({ parentId, level }: TreeLevelProps) {
  const trpc = useTRPC();
  const [pages, setPages] = useState(1);
  const answers = useQueries({
    queries: Array.from({ length: pages }, (_, page) =>
      trpc.locations.level.queryOptions(
        { parent_id: parentId, limit: pageSize, offset: page * pageSize },
        { placeholderData: (before) => before },
      ),
    ),
  });
  const failed = answers.find(({ error }) => error);
  if (failed) {
    return (
      <li role="treeitem" aria-level={level} aria-selected={false} tabIndex={-1}>
        <ProblemState error={failed.error} onRetry={() => void failed.refetch()} />
      </li>
    );
  }
  const nodes = answers.flatMap(({ data }) => data?.data ?? []);
  const total = answers.find(({ data }) => data)?.data?.total_count;
  if (total === undefined) {
    return (
      <li role="none">
        <Stack gap={16} py={12} pl={36}>
          <Skeleton height={12} width="40%" />
          <Skeleton height={12} width="55%" />
        </Stack>
      </li>
    );
  }
  return (
    <>
      {nodes.map((node, index) => (
        <TreeRow key={node.id} node={node} level={level} position={index + 1} siblings={total} isFirst={index === 0}>
          <TreeLevel parentId={node.id} level={level + 1} />
        </TreeRow>
      ))}
      {nodes.length < total && (
        <li role="none">
          {/* The tree handles the keys, and turns Enter into a click. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
          <div
            role="treeitem"
            className={classes['more']}
            aria-level={level}
            aria-selected={false}
            aria-busy={answers.some(({ isPending }) => isPending)}
            tabIndex={-1}
            data-more
            onClick={() => setPages(pages + 1)}
          >
            <Trans>
              Show {numberText(Math.min(pageSize, total - nodes.length))} more of {numberText(total)}
            </Trans>
          </div>
        </li>
      )}
    </>
  );
}
