import { Badge, Paper, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useFocusWithin, useHover, useMergedRef } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import type { LivePosition } from '../../live/hub.js';
import { useLivePositions } from '../../live/provider.js';
import { AnchorLink } from '../../ui/links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import classes from './home.module.css';
import { mergeMoves, moveKey, movesMax } from './moves.js';

/** How often it is said aloud how many assets moved. */
const sayEveryMs = 15_000;

/** Live activity. While somebody points at them or is among them, they stay as they are. */
export function MovesCard() {
  const trpc = useTRPC();
  const asked = useQuery(trpc.home.moves.queryOptions({ limit: movesMax }));
  const [live, setLive] = useState<readonly LivePosition[]>([]);
  const { hovered: isPointedAt, ref: pointedAt } = useHover();
  const { focused: isFocused, ref: focused } = useFocusWithin();
  const feed = useMergedRef(pointedAt, focused);
  const [held, setHeld] = useState<readonly LivePosition[] | null>(null);
  useLivePositions((_, moved) => {
    if (moved.length > 0) setLive((before) => mergeMoves(moved, before));
  });
  const latest = useMemo(() => mergeMoves(live, asked.data ?? []), [live, asked.data]);
  const isHeld = isPointedAt || isFocused;
  if (isHeld && held === null && asked.data) setHeld(latest);
  if (!isHeld && held !== null) setHeld(null);
  const shown = held ?? latest;
  const waiting = held === null ? 0 : countNew(latest, held);

  return (
    <Paper withBorder p="md" component="section" aria-labelledby="moves-heading">
      <div className={classes['heading']}>
        <Title order={2} size="h4" id="moves-heading">
          Live activity
        </Title>
        {waiting > 0 && <Badge variant="filled">{quantity(waiting, 'new move')}</Badge>}
      </div>
      <Spoken />
      <div ref={feed} className={classes['feed']} tabIndex={0} role="group" aria-labelledby="moves-heading">
        {asked.isError && !asked.data ? (
          <ProblemState error={asked.error} onRetry={() => void asked.refetch()} />
        ) : !asked.data ? (
          <Skeletons />
        ) : shown.length === 0 ? (
          <Text c="dimmed" py="xl" ta="center">
            Nothing has moved yet. As soon as a reader sees an asset, it appears here.
          </Text>
        ) : (
          <ol className={classes['moves']}>
            {shown.map((move) => (
              <Move key={moveKey(move)} move={move} />
            ))}
          </ol>
        )}
      </div>
    </Paper>
  );
}

function countNew(latest: readonly LivePosition[], held: readonly LivePosition[]): number {
  const known = new Set(held.map(moveKey));
  return latest.filter((move) => !known.has(moveKey(move))).length;
}

function Move({ move }: { move: LivePosition }) {
  return (
    <li className={classes['move']}>
      <AnchorLink to="/assets/$assetId" params={{ assetId: String(move.asset_id) }} fw={550}>
        <UserText lines={1}>{move.asset_name}</UserText>
      </AnchorLink>
      <Text size="sm" c="dimmed" className={classes['when']} component="div">
        <When at={move.located_since} />
      </Text>
      <Text size="sm" component="div" className={classes['to']}>
        {move.location_id === null ? (
          <Text span c="dimmed" inherit>
            at a reader without a location
          </Text>
        ) : (
          <>
            <Text span c="dimmed" inherit>
              to
            </Text>
            <AnchorLink to="/locations/$locationId" params={{ locationId: String(move.location_id) }} inherit>
              <UserText>{move.location_name}</UserText>
            </AnchorLink>
          </>
        )}
      </Text>
    </li>
  );
}

/** Says now and then how many assets moved, instead of each of them at once. */
function Spoken() {
  const [text, setText] = useState('');
  const unsaid = useRef(0);
  useLivePositions((_, moved) => {
    unsaid.current += moved.length;
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (unsaid.current === 0) return;
      setText(`${quantity(unsaid.current, 'asset')} moved`);
      unsaid.current = 0;
    }, sayEveryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}

function Skeletons() {
  return (
    <Stack gap="md" py="xs" aria-label="Loading">
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height={34} />
      ))}
    </Stack>
  );
}
