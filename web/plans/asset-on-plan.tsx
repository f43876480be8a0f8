import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { KindSelect } from '../kinds/kind-select.js';
import type { TimeTravel } from '../time/use-time-travel.js';
import { AssetSelect } from '../ui/asset-select.js';
import { AnchorLink } from '../ui/links.js';
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

/** A plan as it is now or was in the past. An asset can be pointed out; the pin follows it and belongs to the present. */
export function AssetOnPlan({ plan, name, assetId, onAsset, travel }: AssetOnPlanProps) {
  const trpc = useTRPC();
  const [kindId, setKindId] = useState<number | null>(null);
  const live = useLiveScene(plan, kindId);
  const past = usePastScene(plan, travel);
  const found = useQuery({
    ...trpc.assets.detail.queryOptions({ asset_id: assetId ?? 0 }),
    enabled: assetId !== undefined,
  });
  const asset = assetId === undefined ? undefined : found.data;
  const pin = useMemo(() => (asset ? pinOf(plan, asset) : null), [plan, asset]);
  return (
    <>
      <Group align="flex-end" gap="sm">
        <AssetSelect
          label={texts.findAsset}
          value={asset ? { id: asset.id, label: asset.name } : null}
          onChange={(choice) => onAsset(choice?.id)}
        />
        {past === undefined && <KindSelect label={t`Kind`} none={t`All kinds`} value={kindId} onChange={setKindId} />}
        {asset && <Finding asset={asset} pin={pin} />}
      </Group>
      <PlanView key={plan.image.id} plan={plan} name={name} scene={past ?? live} pin={past ? null : pin} />
    </>
  );
}

function Finding({ asset, pin }: { asset: Asset; pin: PlanPin | null }) {
  const location = asset.position?.location;
  return (
    <Text size="sm" role="status" component="div" pb={8}>
      {pin && location ? (
        <>
          <Name asset={asset} /> {' → '}
          <UserText>{location.name}</UserText>
        </>
      ) : asset.position ? (
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
  return (
    <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }} inherit>
      <UserText>{name}</UserText>
    </AnchorLink>
  );
}

function pinOf(plan: Plan, asset: Asset): PlanPin | null {
  const locationId = asset.position?.location?.id;
  const shape = plan.coverage.find(([location]) => location === locationId);
  return shape ? { shapeLocationId: shape[1], label: asset.name } : null;
}
