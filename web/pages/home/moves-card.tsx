import { t } from '@lingui/core/macro';
import {
  ActionIcon,
  Badge,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useFocusWithin, useHover, useMergedRef } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import type { LivePosition } from '../../live/hub.js';
import { useLivePositions } from '../../live/provider.js';
import { ProblemState } from '../../ui/problem-state.js';
import { quantity } from '../../ui/quantity.js';
import classes from './home.module.css';
import { MoveRow } from './move-row.js';
import { mergeMoves, moveKey, moveMatches, movesKept, movesShown } from './moves.js';

/** How often the number of moves is announced to screen readers. */
const announceEveryMs = 15_000;
/** How long a move that has just arrived is highlighted. */
const freshMs = 1700;

/** The latest moves, updated live. The list does not change while it is paused, pointed at or focused. */
export function MovesCard() {
  const trpc = useTRPC();
  const asked = useQuery(trpc.home.moves.queryOptions({ limit: movesShown }));
  const { live, fresh } = useLiveMoves();
  const { hovered: isPointedAt, ref: pointedAt } = useHover();
  const { focused: isFocused, ref: focused } = useFocusWithin();
  const feed = useMergedRef(pointedAt, focused);
  const [isPaused, setPaused] = useState(false);
  const [filter, setFilter] = useState('');
  const [held, setHeld] = useState<readonly LivePosition[] | null>(null);
  const latest = useMemo(() => mergeMoves(live, asked.data ?? []), [live, asked.data]);
  const isHeld = isPaused || isPointedAt || isFocused;
  if (isHeld && held === null && asked.data) setHeld(latest);
  if (!isHeld && held !== null) setHeld(null);
  const shown = (held ?? latest).filter((move) => moveMatches(move, filter)).slice(0, movesShown);
  const waiting = held === null ? 0 : countNew(latest, held, filter);

  return (
    <Paper withBorder p="md" component="section" aria-labelledby="moves-heading">
      <div className={classes['heading']}>
        <Title order={2} size="h4" id="moves-heading">{t`Live activity`}</Title>
        <Group gap="xs" wrap="nowrap">
          {waiting > 0 && <Badge variant="filled">{quantity(waiting, 'new move')}</Badge>}
          <ActionIcon
            variant="default"
            size={30}
            aria-label={isPaused ? t`Resume live activity` : t`Pause live activity`}
            aria-pressed={isPaused}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
          </ActionIcon>
        </Group>
      </div>
      <TextInput
        my="xs"
        size="xs"
        aria-label={t`Filter live activity`}
        placeholder={t`Filter by asset or location`}
        leftSection={<IconSearch size={14} aria-hidden />}
        maxLength={255}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <Announcements />
      <div ref={feed} className={classes['feed']} tabIndex={0} role="group" aria-labelledby="moves-heading">
        {asked.isError && !asked.data ? (
          <ProblemState error={asked.error} onRetry={() => void asked.refetch()} />
        ) : !asked.data ? (
          <Skeletons />
        ) : shown.length === 0 ? (
          <Text c="dimmed" py="xl" ta="center">
            {filter.trim() === ''
              ? t`Nothing has moved yet. As soon as a reader sees an asset, it appears here.`
              : t`No recent move matches the filter.`}
          </Text>
        ) : (
          <ol className={classes['moves']}>
            {shown.map((move) => (
              <MoveRow key={moveKey(move)} move={move} isFresh={fresh.has(moveKey(move))} />
            ))}
          </ol>
        )}
      </div>
    </Paper>
  );
}

/** Returns the moves that arrived while the page was open, and which of these moves are highlighted at present. */
function useLiveMoves(): { live: readonly LivePosition[]; fresh: ReadonlySet<string> } {
  const [live, setLive] = useState<readonly LivePosition[]>([]);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);
  useLivePositions((_, moved) => {
    if (moved.length === 0) return;
    setLive((before) => mergeMoves(moved, before));
    const keys = moved.slice(0, movesKept).map(moveKey);
    setFresh((before) => new Set([...before, ...keys]));
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setFresh((before) => new Set([...before].filter((key) => !keys.includes(key))));
    }, freshMs);
    timers.current.add(timer);
  });
  return { live, fresh };
}

function countNew(latest: readonly LivePosition[], held: readonly LivePosition[], filter: string): number {
  const known = new Set(held.map(moveKey));
  return latest.filter((move) => !known.has(moveKey(move)) && moveMatches(move, filter)).length;
}

/** Announces at intervals how many assets moved, instead of each move. */
function Announcements() {
  const [text, setText] = useState('');
  const unsaid = useRef(0);
  useLivePositions((_, moved) => {
    unsaid.current += moved.length;
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (unsaid.current === 0) return;
      setText(t`${quantity(unsaid.current, 'asset')} moved`);
      unsaid.current = 0;
    }, announceEveryMs);
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
    <Stack gap="md" py="xs" aria-label={t`Loading`}>
      {Array.from({ length: 8 }, (_, index) => (
        <Skeleton key={index} height={34} />
      ))}
    </Stack>
  );
}
