import { t } from '@lingui/core/macro';
import { Grid, Skeleton, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { UnconfirmedAddress } from '../../emails/unconfirmed-address.js';
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

/** The server caches the trends for some minutes. */
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
    // The other figures stay when the number of days changes.
    placeholderData: (before) => before,
  });

  const trends = useQuery(trpc.home.trends.queryOptions({ day_start: dayStart }, { refetchInterval: trendsRefreshMs }));

  const isArranged = useIsArranged();

  return (
    <Page title={t`Home`}>
      {!isArranged && (
        <Stack gap="lg" aria-busy="true" aria-label={t`Loading`}>
          <Skeleton height={110} />
          <Skeleton height={480} />
        </Stack>
      )}
      <Stack gap="lg" display={isArranged ? undefined : 'none'}>
        <UnconfirmedAddress />
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

/**
 * Returns whether it is known which cards the page has, which is the case after the first answers. Until then nothing
 * is shown that a card would push down.
 */
function useIsArranged(): boolean {
  const trpc = useTRPC();
  const { can } = useSession();
  const steps = useQuery(trpc.organizations.firstSteps.queryOptions(undefined, { enabled: can('admin') }));
  const plans = useQuery(trpc.floorPlans.list.queryOptions());
  return [steps, plans].every(({ isLoading, failureCount }) => !isLoading || failureCount > 0);
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
