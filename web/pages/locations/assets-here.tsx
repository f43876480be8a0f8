import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Badge, Group, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconBoxSeam, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { instantText, instantWords } from '../../time/instant.js';
import { askedInstant, type TimeTravel } from '../../time/use-time-travel.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Pager } from '../../ui/pager.js';
import { useFromNow } from '../../ui/times.js';
import { ProblemState } from '../../ui/problem-state.js';
import { useTypedText } from '../../ui/use-typed-text.js';
import { presentColumns, type Shown } from './assets-here-columns.js';
import type { LocationSearch } from './search.js';
import { useLiveRefresh } from './use-live-refresh.js';

const pastTitle = (words: string) => t`Here at ${words}`;

const pageSize = 25;
const pauseMs = 200;

const route = getRouteApi('/app/locations/$locationId');

/** The assets at a location: live, or at an instant of the past; by default with those in its sublocations. */
export function AssetsHere({ locationId, travel }: { locationId: number; travel: TimeTravel }) {
  const { q = '', sublocations = true, offset = 0 } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useTypedText(q);

  function show(change: { q?: string; sublocations?: boolean; offset?: number }): void {
    const next = { q, sublocations, offset: 0, ...change };
    void navigate({
      search: ({ q: _q, sublocations: _sublocations, offset: _offset, ...others }): LocationSearch => ({
        ...others,
        ...(next.q === '' ? {} : { q: next.q }),
        ...(next.sublocations ? {} : { sublocations: false }),
        ...(next.offset === 0 ? {} : { offset: next.offset }),
      }),
      replace: true,
      resetScroll: false,
    });
  }
  const search = useDebouncedCallback((text: string) => show({ q: text.trim() }), pauseMs);
  const { at } = travel;
  const askedAt = askedInstant(travel);
  const shownAt = askedAt ?? at;
  const title = useFromNow((nowMs) => (shownAt === null ? t`Here now` : pastTitle(instantWords(shownAt, nowMs))));
  const isLive = at === null;
  const { shown, total, stale, error, retry, hasSublocations } = useShown({
    locationId,
    q,
    sublocations,
    offset,
    at: askedAt,
  });
  const hasBelonging = shown?.some(({ belongs_to_now: location }) => location) ?? false;
  const columns = useMemo(
    () => presentColumns({ isLive, sublocations, hasBelonging }),
    [isLive, sublocations, hasBelonging],
  );

  return (
    <section aria-labelledby="here">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <Title order={2} size="h4" id="here">
            {title}
            {total !== undefined && (
              <Badge ml="xs" size="lg" component="span" data-testid="here-count">
                {numberText(total)}
              </Badge>
            )}
          </Title>
          {hasSublocations && (
            <Switch
              label={t`Include sublocations`}
              checked={sublocations}
              onChange={(event) => show({ sublocations: event.currentTarget.checked })}
            />
          )}
        </Group>
        {(q !== '' || typed !== '' || (total ?? 0) > pageSize) && (
          <TextInput
            type="search"
            aria-label={t`Find an asset here`}
            placeholder={t`Name, key or tag`}
            leftSection={<IconSearch size={16} aria-hidden />}
            maxLength={255}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              search(event.currentTarget.value);
            }}
          />
        )}
        {error ? (
          <ProblemState error={error} onRetry={retry} />
        ) : (
          <DataTable
            caption={at === null ? t`Assets here now` : t`Assets here then`}
            columns={columns}
            rows={shown}
            rowId={({ id }) => String(id)}
            expectedRows={3}
            isStale={stale}
            empty={
              <EmptyState
                icon={IconBoxSeam}
                title={
                  q === ''
                    ? at === null
                      ? t`Nothing is here now`
                      : t`Nothing was here then`
                    : t`No asset here matches`
                }
              >
                {q === '' &&
                  at === null &&
                  (hasSublocations && !sublocations
                    ? t`Assets in sublocations aren’t listed.`
                    : t`Assets appear here when a reader or handheld sees them here.`)}
              </EmptyState>
            }
          />
        )}
        {total !== undefined && total > pageSize && (
          <Pager
            limit={pageSize}
            offset={offset}
            total={total}
            unit="asset"
            onPage={(next) => show({ offset: next })}
          />
        )}
      </Stack>
    </section>
  );
}

type Asked = { locationId: number; q: string; sublocations: boolean; offset: number; at: number | null };

type Answer = {
  shown: readonly Shown[] | undefined;
  total: number | undefined;
  stale: boolean;
  error: unknown;
  retry: () => void;
  hasSublocations: boolean;
};

/**
 * Loads the assets that are at the location now, and updates them live; or loads the assets that were there at an
 * instant.
 */
function useShown({ locationId, q, sublocations, offset, at }: Asked): Answer {
  const trpc = useTRPC();
  const common = { location_id: locationId, limit: pageSize, offset, ...(q === '' ? {} : { q }) };
  const placeholderData = keepPreviousData;
  const below = useQuery(trpc.locations.level.queryOptions({ parent_id: locationId, limit: 1, offset: 0 }));
  const live = useQuery(
    trpc.locations.contents.queryOptions(
      { ...common, including_below: sublocations },
      { placeholderData, enabled: at === null },
    ),
  );
  const past = useQuery(
    trpc.visits.assets.queryOptions(
      { ...common, at: instantText(at ?? 0), including_sublocations: sublocations },
      { placeholderData, enabled: at !== null, staleTime: Infinity },
    ),
  );
  useLiveRefresh(trpc.locations.contents.pathFilter());
  const hasSublocations = (below.data?.total_count ?? 0) > 0;
  const answer = at === null ? live : past;
  const rest = {
    stale: answer.isPlaceholderData,
    error: answer.error,
    retry: () => void answer.refetch(),
    hasSublocations,
  };
  if (at !== null) return { shown: past.data?.data, total: past.data?.total_count, ...rest };
  const { data, assets_here: here, assets_below: inAll } = live.data ?? {};
  const total = q === '' ? (sublocations ? inAll : here) : live.data?.total_count;
  return {
    shown: data?.map(({ located_since, asset_last_seen, ...row }) => ({
      ...row,
      is_deleted: false,
      arrived_at: located_since,
      left_at: null,
      last_seen: asset_last_seen,
    })),
    total,
    ...rest,
  };
}
