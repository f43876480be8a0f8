import { t } from '@lingui/core/macro';
import { Grid, Skeleton, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { useMailWaits } from '../../emails/use-mail-waits.js';
import { HomePlan } from '../../plans/home-plan.js';
import { useSession } from '../../session/context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { Page } from '../../ui/page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { startOfDay, useFormats } from '../../ui/formats.js';
import { useFromNow } from '../../ui/times.js';
import { loadFirstSteps, useFirstSteps } from './first-steps.js';
import { MovesCard } from './moves-card.js';
import { NeedsALook } from './needs-a-look.js';
import { ReadsCard } from './reads-card.js';
import { Tiles } from './tiles.js';

const FirstStepsCard = lazyPart(loadFirstSteps, 'FirstStepsCard');
const UnconfirmedAddress = lazyPart(() => import('../../emails/unconfirmed-address.js'), 'UnconfirmedAddress');

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

  const mailWaits = useMailWaits();
  const { steps, isKnown: areStepsKnown } = useFirstSteps();
  const plans = useQuery(trpc.floorPlans.list.queryOptions());
  // Until it is known which cards the page has, nothing is shown that a card would push down.
  const isArranged = areStepsKnown && (!plans.isLoading || plans.failureCount > 0);

  return (
    <Page title={t`Home`}>
      {!isArranged && (
        <Stack gap="lg" aria-busy="true" aria-label={t`Loading`}>
          <Skeleton height={110} />
          <Skeleton height={480} />
        </Stack>
      )}
      <Stack gap="lg" display={isArranged ? undefined : 'none'}>
        <Suspense>
          {mailWaits && <UnconfirmedAddress />}
          {steps && <FirstStepsCard progress={steps} />}
        </Suspense>
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
