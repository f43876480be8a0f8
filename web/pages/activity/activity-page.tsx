import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ActivityFilter, useActivity } from '../../activity/use-activity.js';
import { RequireRole } from '../../session/require-role.js';
import { dayOf, shiftedDay } from '../../time/day.js';
import { instantText } from '../../time/instant.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterPanel } from '../../ui/filter-panel.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { activityColumns } from './activity-columns.js';
import { ActivityExport } from './activity-export.js';
import { ActivityFilters } from './activity-filters.js';
import type { ActivitySearch } from './search.js';

const pageSize = 50;

/** Who changed what in the organization. */
export function ActivityPage() {
  const search = useSearch({ from: '/app/activity' });
  return (
    <Page
      title={t`Activity`}
      description={t`Who changed what, kept for a year`}
      actions={<ActivityExport filter={filterOf(search)} />}
    >
      <RequireRole needs="manager">
        <Changes search={search} />
      </RequireRole>
    </Page>
  );
}

function Changes({ search }: { search: ActivitySearch }) {
  const navigate = useNavigate({ from: '/activity' });
  const found = useActivity({ ...filterOf(search), grouped: true }, { limit: pageSize });
  const entries = found.data?.pages.flatMap(({ data }) => data);
  const isFiltered = Object.keys(search).length > 0;
  if (found.error && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <Stack>
      <FilterPanel count={Object.keys(search).length}>
        <ActivityFilters search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
      </FilterPanel>
      {entries?.length === 0 && found.hasNextPage ? (
        <Text c="dimmed">{t`None of the latest changes matches.`}</Text>
      ) : (
        <DataTable
          caption={t`Changes`}
          columns={activityColumns}
          rows={entries}
          rowId={({ id }) => id}
          empty={
            <EmptyState icon={IconHistory} title={isFiltered ? t`No changes match` : t`No changes yet`}>
              {isFiltered
                ? t`Choose another time or fewer filters.`
                : t`Each change in the app, through the API or by an import appears here.`}
            </EmptyState>
          }
        />
      )}
      {found.hasNextPage && (
        <Group>
          <Button variant="default" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            <Trans>Earlier changes</Trans>
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Returns the filter of a search; the whole last day is included. */
function filterOf({ from, to, ...rest }: ActivitySearch): ActivityFilter {
  return {
    ...rest,
    ...(from !== undefined && { from: instantText(dayOf(from)) }),
    ...(to !== undefined && { to: instantText(dayOf(shiftedDay(to, 1))) }),
  };
}
