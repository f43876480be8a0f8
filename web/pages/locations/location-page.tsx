import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowsMove, IconClipboardCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ObjectActivity } from '../../activity/object-activity.js';
import { ObjectAlerts } from '../../alerts/object-alerts.js';
import { TellMeWhen } from '../../alerts/tell-me-when.js';
import { useTRPC } from '../../api/trpc.js';
import { instantText } from '../../time/instant.js';
import { PastBar } from '../../time/past-bar.js';
import { PresentParts } from '../../time/present-parts.js';
import { TimeSlider } from '../../time/time-slider.js';
import { askedInstant, useTimeTravel } from '../../time/use-time-travel.js';
import { LocationPlan } from '../../plans/location-plan.js';
import { useSession } from '../../session/context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { isMissing, MissingPage } from '../../ui/missing-page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { useIsPhone } from '../../ui/use-is-phone.js';
import { UserText } from '../../ui/user-text.js';
import { Section } from '../assets/section.js';
import { Sublocations, ReadersHere } from './around.js';
import { Calibration } from './calibration.js';
import { Departures } from './departures.js';
import { EditDialog, type Location } from './edit-dialog.js';
import { AssetsHere } from './assets-here.js';
import { FreeMark } from './free-mark.js';
import { LocationTags } from './location-tags.js';
import { MissingHere } from './missing-here.js';
import { MoveDialog } from './move-dialog.js';
import { PathTrail } from './path-trail.js';
import { useDeletion } from './use-deletion.js';

const route = getRouteApi('/app/locations/$locationId');

/** One location: the assets in it now or in the past, the assets that left it, and everything that belongs to it. */
export function LocationPage() {
  const { locationId } = route.useParams();
  // Another location is rendered as another page, without the input and dialogs of this one.
  return <OneLocation key={locationId} id={Number(locationId)} />;
}

function OneLocation({ id }: { id: number }) {
  const trpc = useTRPC();
  const navigate = route.useNavigate();
  const { can } = useSession();
  const { asset, at } = route.useSearch();
  const [doing, setDoing] = useState<'edit' | 'move' | null>(null);
  const { remove, dialog } = useDeletion(() => navigate({ to: '/locations' }));
  const found = useQuery(trpc.locations.get.queryOptions({ location_id: id }));
  const path = useQuery(trpc.locations.path.queryOptions({ location_id: id }));
  const plan = useQuery(trpc.floorPlans.get.queryOptions({ location_id: id }));
  const travel = useTimeTravel({
    initial: at === undefined ? null : Date.parse(at),
    onSettle: (next) =>
      void navigate({
        search: ({ at: _at, offset: _offset, ...rest }) => ({
          ...rest,
          ...(next !== null && { at: instantText(next) }),
        }),
        replace: true,
        resetScroll: false,
      }),
  });
  const location = found.data?.data;
  const isPast = travel.at !== null;
  const isPhone = useIsPhone();
  const shownAt = askedInstant(travel);
  const back = <BackLink to="/locations" search={{ show: id }}>{t`Locations`}</BackLink>;
  const close = () => setDoing(null);

  if (found.error && isMissing(found.error)) {
    return <MissingPage kind="location" list={<ButtonLink to="/locations">{t`All locations`}</ButtonLink>} />;
  }
  if (found.error) {
    return (
      <Page title={t`Location`} back={<BackLink to="/locations">{t`Locations`}</BackLink>}>
        <ProblemState error={found.error} onRetry={() => void found.refetch()} />
      </Page>
    );
  }
  const actions = (
    <>
      {can('operator') && (
        <ButtonLink
          to="/locations/$locationId/audit"
          params={{ locationId: String(id) }}
          leftSection={<IconClipboardCheck size={18} aria-hidden />}
        >
          <Trans>Run audit</Trans>
        </ButtonLink>
      )}
      <ButtonLink to="/audits" search={{ location_id: id }} variant="default">{t`Audits`}</ButtonLink>
      {can('manager') && location && <Changes onChoose={setDoing} onDelete={() => remove(location)} />}
    </>
  );
  // Waits for the plan, which would push the rest of the page down.
  if (!location || path.isPending || (plan.isPending && plan.failureCount === 0)) {
    return (
      <Page title={t`Location`} back={back}>
        <Skeleton height={24} width="50%" />
        <Skeleton height={240} />
      </Page>
    );
  }
  return (
    <Page
      title={location.name}
      isName
      back={back}
      description={<Description location={location} path={path.data ?? []} />}
      actions={!isPhone && actions}
    >
      {!isPhone && <TimeSlider travel={travel} />}
      <LocationPlan
        location={location}
        travel={travel}
        assetId={asset}
        onAsset={(next) =>
          void navigate({
            search: ({ asset: _, ...rest }) => (next === undefined ? rest : { ...rest, asset: next }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      {isPhone && (
        <>
          <TimeSlider travel={travel} />
          <Group gap="xs">{actions}</Group>
        </>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="xl">
            <AssetsHere locationId={id} travel={travel} />
            <PresentParts value={isPast}>
              <MissingHere locationId={id} />
              <Departures locationId={id} />
            </PresentParts>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <Sublocations location={location} canAdd={can('manager')} at={shownAt} />
            <PresentParts value={isPast}>
              <Section title={t`Alerts`} action={can('manager') && <TellMeWhen location_id={id} />}>
                <ObjectAlerts
                  about={{ location_id: id }}
                  none={t`No alerts about this location or its sublocations in the last 90 days.`}
                />
              </Section>
              <FreeMark locationId={id} canChange={can('manager')} />
              <LocationTags location={location} canChange={can('manager')} />
              <ReadersHere locationId={id} />
              <Calibration location={location} canChange={can('manager')} />
              <Section title={t`Changes`}>
                <ObjectActivity
                  kind="location"
                  objectId={id}
                  version={[location.updated_at, ...location.tags.map((tag) => tag.id)].join(' ')}
                />
              </Section>
            </PresentParts>
          </Stack>
        </Grid.Col>
      </Grid>
      <PastBar travel={travel} />
      {doing === 'edit' && <EditDialog location={location} onClose={close} />}
      {doing === 'move' && <MoveDialog location={location} onClose={close} />}
      {dialog}
    </Page>
  );
}

function Description({ location, path }: { location: Location; path: readonly { id: number; name: string }[] }) {
  return (
    <Stack gap={4}>
      <PathTrail path={path} />
      <Group gap="xs">
        <Text size="sm" ff="monospace" component="div">
          <UserText>{location.external_key}</UserText>
        </Text>
        {!location.is_active && <Badge color="gray">{t`Inactive`}</Badge>}
      </Group>
      {location.description && (
        <Text size="sm" component="div" style={{ whiteSpace: 'pre-wrap' }}>
          <UserText>{location.description}</UserText>
        </Text>
      )}
    </Stack>
  );
}

type ChangesProps = { onChoose: (doing: 'edit' | 'move') => void; onDelete: () => Promise<void> };

function Changes({ onChoose, onDelete }: ChangesProps) {
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={() => onChoose('edit')}>
        <Trans>Edit</Trans>
      </Button>
      <Button variant="default" leftSection={<IconArrowsMove size={18} aria-hidden />} onClick={() => onChoose('move')}>
        <Trans>Move to…</Trans>
      </Button>
      <ActionButton leftSection={<IconTrash size={18} aria-hidden />} onAct={onDelete}>{t`Delete`}</ActionButton>
    </>
  );
}
