import { t } from '@lingui/core/macro';
import { Grid, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { HomePlan } from '../../plans/home-plan.js';
import { useSession } from '../../session/context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { startOfDay, useFormats } from '../../ui/formats.js';
import { useFromNow } from '../../ui/times.js';
import { FirstStepsCard } from './first-steps-card.js';
import { MovesCard } from './moves-card.js';
import { NeedsALook } from './needs-a-look.js';
import { ReadsCard } from './reads-card.js';
import { Tiles } from './tiles.js';

/** Data that positions do not update, such as silent readers, are reloaded this often. */
const refreshMs = 30_000;

/** The trends are kept for some minutes by the server. */
const trendsRefreshMs = 300_000;

/** The main figures, live activity and what needs attention. */
export function HomePage() {
  const trpc = useTRPC();
  const [unseenDays, setUnseenDays] = useLocalStorage({ key: 'whereabouts-unseen-days', defaultValue: 7 });
  useFormats();
  const dayStart = useFromNow((nowMs) => new Date(startOfDay(nowMs)).toISOString());
  const summary = useQuery({
    ...trpc.home.summary.queryOptions({ day_start: dayStart, unseen_days: unseenDays }),
    refetchInterval: refreshMs,
    // Another number of days leaves the rest as it is.
    placeholderData: (before) => before,
  });

  const trends = useQuery(trpc.home.trends.queryOptions({ day_start: dayStart }, { refetchInterval: trendsRefreshMs }));

  return (
    <Page title={t`Home`}>
      <Stack gap="lg">
        <FirstStepsCard />
        {summary.isError && !summary.data ? (
          <ProblemState error={summary.error} onRetry={() => void summary.refetch()} />
        ) : (
          <>
            <Tiles assets={summary.data?.assets} trends={trends.data} />
            {summary.data?.assets.total === 0 && summary.data.assets.seen === 0 && <NoAssets />}
            <HomePlan />
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, lg: 7 }}>
                <MovesCard />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 5 }}>
                <Stack gap="lg">
                  <NeedsALook summary={summary.data} unseenDays={unseenDays} onUnseenDays={setUnseenDays} />
                  <ReadsCard reads={summary.data?.reads} />
                </Stack>
              </Grid.Col>
            </Grid>
          </>
        )}
      </Stack>
    </Page>
  );
}

function NoAssets() {
  const { can } = useSession();
  return (
    <EmptyState
      icon={IconBox}
      title={t`No assets yet`}
      action={can('manager') && <ButtonLink to="/assets/new">{t`New asset`}</ButtonLink>}
    >
      {can('manager')
        ? t`Create something you want to track, and attach its tag. It appears here once a reader has seen it.`
        : t`Assets appear here once someone has created them and a reader has seen them.`}
    </EmptyState>
  );
}
