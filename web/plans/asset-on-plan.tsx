import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { InContainers } from '../containers/in-containers.js';
import { KindSelect } from '../kinds/kind-select.js';
import { instantText } from '../time/instant.js';
import { askedInstant, type TimeTravel } from '../time/use-time-travel.js';
import { AssetSelect } from '../ui/asset-select.js';
import { AssetLink } from '../ui/object-links.js';
import { useIsPhone } from '../ui/use-is-phone.js';
import { UserText } from '../ui/user-text.js';
import type { Plan, PlanPin } from './plan-drawing.js';
import { PlanView } from './plan-view.js';
import { texts } from './texts.js';
import { usePastScene } from './use-past-scene.js';
import { useLiveScene } from './use-plan.js';

type AssetOnPlanProps = {
  plan: Plan;
  name: string;
  assetId: number | undefined;
  onAsset: (assetId: number | undefined) => void;
  /** Which instant is shown. */
  travel: TimeTravel;
};

type Asset = Outputs['assets']['detail'];

/** Where an asset is, or was at the instant shown. */
type Place = {
  wasSeen: boolean;
  location: { id: number; name: string } | null | undefined;
  /** The containers that it is in; none at an instant of the past. */
  containers: Asset['containers'];
};

/**
 * A plan in its present or a past state. A pin can mark an asset; it follows the asset, and at an instant of the past
 * it shows where the asset was.
 */
export function AssetOnPlan({ plan, name, assetId, onAsset, travel }: AssetOnPlanProps) {
  const trpc = useTRPC();
  const isPhone = useIsPhone();
  const [kindId, setKindId] = useState<number | null>(null);
  const live = useLiveScene(plan, kindId);
  const past = usePastScene(plan, travel);
  const found = useQuery({
    ...trpc.assets.detail.queryOptions({ asset_id: assetId ?? 0 }),
    enabled: assetId !== undefined,
  });
  const asset = assetId === undefined ? undefined : found.data;
  const at = askedInstant(travel);
  const then = useQuery({
    ...trpc.assets.visits.queryOptions(
      { asset_id: assetId ?? 0, from: instantText(at ?? 0), to: instantText((at ?? 0) + 1), limit: 1 },
      { staleTime: Infinity, placeholderData: (before) => before },
    ),
    enabled: assetId !== undefined && at !== null,
  });
  const visit = then.data?.data[0];
  const place: Place | undefined =
    at === null
      ? asset && {
          wasSeen: asset.position !== null,
          location: asset.position?.location,
          containers: asset.containers,
        }
      : then.data && { wasSeen: visit !== undefined, location: visit?.location, containers: [] };
  const shownId = place?.location?.id;
  const pin = useMemo(() => (asset ? pinOf(plan, asset, shownId) : null), [plan, asset, shownId]);
  const controls = (
    <Group align="flex-end" gap="sm">
      <AssetSelect
        label={texts.findAsset}
        value={asset ? { id: asset.id, label: asset.name } : null}
        onChange={(choice) => onAsset(choice?.id)}
      />
      {past === undefined && <KindSelect label={t`Kind`} none={t`All kinds`} value={kindId} onChange={setKindId} />}
      {asset && place && <Finding asset={asset} place={place} pin={pin} />}
    </Group>
  );
  return (
    <>
      {!isPhone && controls}
      <PlanView key={plan.image.id} plan={plan} name={name} scene={past ?? live} pin={pin} />
      {isPhone && controls}
    </>
  );
}

function Finding({ asset, place, pin }: { asset: Asset; place: Place; pin: PlanPin | null }) {
  const { location } = place;
  return (
    <Text size="sm" role="status" component="div" pb={8}>
      {pin && location ? (
        <>
          <Name asset={asset} /> {' → '}
          <InContainers containers={place.containers} />
          <UserText>{location.name}</UserText>
        </>
      ) : place.wasSeen ? (
        <Trans>
          <Name asset={asset} /> is not on this plan
        </Trans>
      ) : (
        <Trans>
          <Name asset={asset} /> has not been seen yet
        </Trans>
      )}
    </Text>
  );
}

function Name({ asset: { id, name } }: { asset: Asset }) {
  return <AssetLink id={id} name={name} inherit />;
}

function pinOf(plan: Plan, asset: Asset, locationId: number | undefined): PlanPin | null {
  const shape = plan.coverage.find(([location]) => location === locationId);
  return shape ? { shapeLocationId: shape[1], label: asset.name } : null;
}
