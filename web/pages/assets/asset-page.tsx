import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconBox, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ObjectActivity } from '../../activity/object-activity.js';
import { ObjectAlerts } from '../../alerts/object-alerts.js';
import { TellMeWhen } from '../../alerts/tell-me-when.js';
import { isOffline } from '../../api/errors.js';
import { useTRPC } from '../../api/trpc.js';
import { Contents } from '../../containers/contents.js';
import { EarlierContainers } from '../../containers/earlier-containers.js';
import { PutInButton } from '../../containers/put-in-button.js';
import { TakeOutButton } from '../../containers/take-out-button.js';
import { LastKnownPlace } from '../../offline/last-known-place.js';
import { asOf } from '../../offline/seen-asset-card.js';
import { ShowOnPlan } from '../../plans/show-on-plan.js';
import { OpenProblems } from '../../problems/open-problems.js';
import { ReportProblem } from '../../problems/report-problem.js';
import { useSession } from '../../session/context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { isMissing } from '../../ui/missing-page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { AssetActions } from './asset-actions.js';
import { AssetFacts } from './asset-facts.js';
import { AssetPhotos } from './asset-photos.js';
import { AssetTags } from './asset-tags.js';
import type { AssetDetail } from './asset-values.js';
import { EditAsset } from './edit-asset.js';
import { History } from './history.js';
import { Section } from './section.js';
import { SetLocation } from './set-location.js';
import { WhereNow } from './where-now.js';
import { WhyHere } from './why-here.js';

const route = getRouteApi('/app/assets/$assetId');
const back = <BackLink to="/assets">{t`Assets`}</BackLink>;
const idMax = 2_147_483_647;

/** Interval of reloads, since somebody else may change the asset while it is shown or edited. */
const lookAgainMs = 15_000;

/** Shows one asset: its location, history, tags and details. */
export function AssetPage() {
  const { assetId } = route.useParams();
  const id = /^[1-9][0-9]{0,9}$/.test(assetId) ? Number(assetId) : 0;
  if (id === 0 || id > idMax) return <NoAsset />;
  return <KnownAsset key={id} id={id} />;
}

function KnownAsset({ id }: { id: number }) {
  const trpc = useTRPC();
  const asset = useQuery(
    trpc.assets.detail.queryOptions({ asset_id: id }, { refetchInterval: lookAgainMs, refetchOnWindowFocus: 'always' }),
  );
  if (asset.error && isMissing(asset.error)) return <NoAsset />;
  if (asset.data) return <Shown asset={asset.data} knownAt={isOffline(asset.error) ? asset.dataUpdatedAt : null} />;
  return (
    <Page title={t`Asset`} back={back}>
      {asset.error ? (
        <Stack>
          {isOffline(asset.error) && <LastKnownPlace assetId={id} />}
          <ProblemState error={asset.error} onRetry={() => void asset.refetch()} />
        </Stack>
      ) : (
        <Stack aria-busy="true">
          <Skeleton height={140} />
          <Skeleton height={280} />
        </Stack>
      )}
    </Page>
  );
}

/** `knownAt`: when the service was last reached, if it cannot be reached now. */
function Shown({ asset, knownAt }: { asset: AssetDetail; knownAt: number | null }) {
  const { can } = useSession();
  const [isEditing, setEditing] = useState(false);
  return (
    <Page
      title={asset.name}
      isName
      description={asset.external_key}
      back={back}
      actions={can('manager') && <AssetActions asset={asset} />}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack gap="lg" miw={0}>
          <Section title={t`Current location`} action={can('operator') && <Moving asset={asset} />}>
            {knownAt !== null && <NotConnected since={asOf(knownAt)} />}
            <WhereNow asset={asset} />
            {asset.position && <ShowOnPlan assetId={asset.id} />}
            <EarlierContainers assetId={asset.id} />
          </Section>
          <Contents asset={asset} />
          <Section title={t`Problems`} action={can('operator') && <ReportProblem asset={asset} size="xs" />}>
            <OpenProblems asset={asset} />
          </Section>
          {asset.position && <WhyHere assetId={asset.id} />}
          <Section title={t`Alerts`} action={can('manager') && <TellMeWhen asset_id={asset.id} />}>
            <ObjectAlerts about={{ asset_id: asset.id }} none={t`No alerts about this asset in the last 90 days.`} />
          </Section>
          <Section title={t`History`}>
            <History asset={asset} />
          </Section>
        </Stack>
        <Stack gap="lg" miw={0}>
          <Section title={t`Tags`}>
            <AssetTags asset={asset} />
          </Section>
          <Section
            title={t`Details`}
            action={
              can('manager') &&
              !isEditing && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconPencil size={16} aria-hidden />}
                  onClick={() => setEditing(true)}
                >
                  <Trans>Edit</Trans>
                </Button>
              )
            }
          >
            {isEditing ? <EditAsset latest={asset} onClose={() => setEditing(false)} /> : <AssetFacts asset={asset} />}
          </Section>
          <Section title={t`Photos`}>
            <AssetPhotos asset={asset} />
          </Section>
          <Section title={t`Changes`}>
            <ObjectActivity kind="asset" objectId={asset.id} version={versionOf(asset)} />
          </Section>
        </Stack>
      </SimpleGrid>
    </Page>
  );
}

/** What an operator says about where the asset is. */
function Moving({ asset }: { asset: AssetDetail }) {
  return (
    <Group gap="xs">
      <SetLocation asset={asset} />
      {asset.containers.length > 0 ? (
        <TakeOutButton asset={asset} containerId={asset.containers[0]?.id} />
      ) : (
        <PutInButton ids={[asset.id]} />
      )}
    </Group>
  );
}

function NotConnected({ since }: { since: string }) {
  return <Badge color="orange">{t`Not connected, ${since}`}</Badge>;
}

/** Returns a text that changes when the asset, one of its tags or its open problems change. */
function versionOf({ updated_at, tags, problems }: AssetDetail): string {
  return [updated_at, ...tags.map(({ id }) => id), '|', ...problems.map(({ id }) => id)].join(' ');
}

/** The same page for assets that were deleted, never existed, or belong to another organization. */
function NoAsset() {
  return (
    <Page title={t`Asset not found`} back={back}>
      <EmptyState
        icon={IconBox}
        title={t`This asset doesn't exist`}
        action={<ButtonLink to="/assets">{t`View all assets`}</ButtonLink>}
      >
        <Trans>It may have been deleted, or the link is wrong.</Trans>
      </EmptyState>
    </Page>
  );
}
