import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack } from '@mantine/core';
import { useFocusWithin, useHover, useMergedRef } from '@mantine/hooks';
import { IconBell, IconCheck } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type AlertFilter, useAcknowledge, useAlerts } from '../../alerts/use-alerts.js';
import type { AlertItem } from '../../alerts/words.js';
import { problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { NotificationsButton } from '../../push/notifications-button.js';
import { useSession } from '../../session/context.js';
import { dayOf, shiftedDay } from '../../time/day.js';
import { instantText } from '../../time/instant.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { FilterPanel } from '../../ui/filter-panel.js';
import { SelectionBar } from '../../ui/selection-bar.js';
import { quantity } from '../../ui/quantity.js';
import { alertColumns } from './alert-columns.js';
import { AlertFilters } from './alert-filters.js';
import { AlertTabs } from './alert-tabs.js';
import type { AlertsSearch } from './search.js';

const pageSize = 50;
const none: ReadonlySet<string> = new Set();

/** Open and past alerts, to acknowledge. */
export function AlertsPage() {
  const search = useSearch({ from: '/app/alerts' });
  return (
    <Page title={t`Alerts`} description={t`What your alert rules have reported`} actions={<NotificationsButton />}>
      <AlertTabs here="/alerts" />
      <Alerts search={search} />
    </Page>
  );
}

function Alerts({ search }: { search: AlertsSearch }) {
  const { can } = useSession();
  const navigate = useNavigate({ from: '/alerts' });
  const [selection, setSelection] = useState(none);
  const found = useAlerts(filterOf(search), pageSize);
  const acknowledge = useAcknowledge();
  const { shown, newCount, showNew, ref } = useHeldRows(found.data?.pages.flatMap(({ data }) => data));
  const mayAcknowledge = can('operator');
  const { mutate } = acknowledge;
  // New columns would replace the cells, and a button that is replaced while it is pressed is never clicked.
  const columns = useMemo(
    () => alertColumns(mayAcknowledge ? (id) => mutate([id]) : undefined),
    [mayAcknowledge, mutate],
  );
  if (found.error && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  const chosen = (shown ?? []).filter(({ id, is_open: isOpen }) => isOpen && selection.has(String(id)));

  return (
    <Stack>
      <FilterPanel count={Object.keys(search).length}>
        <AlertFilters search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
      </FilterPanel>
      {acknowledge.error && <FormProblem problem={problemOf(acknowledge.error)} />}
      <Stack ref={ref}>
        <DataTable
          caption={t`Alerts`}
          columns={columns}
          rows={shown}
          rowId={({ id }) => String(id)}
          isStale={found.isPlaceholderData}
          {...(mayAcknowledge && { selection, onSelect: setSelection })}
          empty={<NoAlerts isFiltered={Object.keys(search).length > 0} />}
        />
        {(chosen.length > 0 || newCount > 0) && (
          <SelectionBar>
            <Paper withBorder p="xs">
              <Group>
                {chosen.length > 0 && (
                  <Button
                    leftSection={<IconCheck size={18} aria-hidden />}
                    loading={acknowledge.isPending}
                    onClick={() =>
                      mutate(
                        chosen.map(({ id }) => id),
                        { onSuccess: () => setSelection(none) },
                      )
                    }
                  >
                    <Trans>Acknowledge {quantity(chosen.length, 'alert')}</Trans>
                  </Button>
                )}
                {newCount > 0 && (
                  <Button variant="light" onClick={showNew}>
                    <Trans>Show {quantity(newCount, 'new alert')}</Trans>
                  </Button>
                )}
              </Group>
            </Paper>
          </SelectionBar>
        )}
      </Stack>
      {found.hasNextPage && (
        <Group>
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            <Trans>Earlier alerts</Trans>
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Holds back new rows while the pointer or the focus is in the table or on the buttons below it, so that nothing moves under a finger. */
function useHeldRows(rows: readonly AlertItem[] | undefined) {
  const { hovered, ref: hoverRef } = useHover();
  const { focused, ref: focusRef } = useFocusWithin();
  const ref = useMergedRef<HTMLDivElement>(hoverRef, focusRef);
  const [newest, setNewest] = useState<number | null>(null);
  const isHeld = (hovered || focused) && rows !== undefined && rows.length > 0;
  const latest = rows?.[0]?.id ?? 0;
  if (isHeld && newest === null) setNewest(latest);
  if (!isHeld && newest !== null) setNewest(null);
  const shown = newest === null ? rows : rows?.filter(({ id }) => id <= newest);
  return {
    shown: shown?.length === 0 ? rows : shown,
    newCount: shown === undefined || shown.length === 0 ? 0 : (rows?.length ?? 0) - shown.length,
    showNew: () => setNewest(latest),
    ref,
  };
}

function NoAlerts({ isFiltered }: { isFiltered: boolean }) {
  const { can } = useSession();
  if (isFiltered) {
    return (
      <EmptyState icon={IconBell} title={t`No alerts match`}>{t`Choose another status or fewer filters.`}</EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconBell}
      title={t`No open alerts`}
      action={can('manager') && <ButtonLink to="/alerts/rules">{t`Alert rules`}</ButtonLink>}
    >
      <Trans>Rules decide what is reported here, for example when a forklift leaves the hall.</Trans>
    </EmptyState>
  );
}

/** Returns the filter of a search; the whole last day is included. */
function filterOf({ status, from, to, ...rest }: AlertsSearch): AlertFilter {
  return {
    ...rest,
    ...(status !== 'all' && { status: status ?? ('open' as const) }),
    ...(from !== undefined && { from: instantText(dayOf(from)) }),
    ...(to !== undefined && { to: instantText(dayOf(shiftedDay(to, 1))) }),
  };
}
