import { IconMap2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';
import { ButtonLink } from '../ui/links.js';
import { texts } from './texts.js';

/** A link to the nearest plan that shows where an asset is; renders nothing if there is none. */
export function ShowOnPlan({ assetId }: { assetId: number }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.floorPlans.findAsset.queryOptions({ asset_id: assetId }));
  if (!data) return null;
  return (
    <div>
      <ButtonLink
        to="/locations/$locationId"
        params={{ locationId: String(data.location_id) }}
        search={{ asset: assetId }}
        size="xs"
        variant="default"
        leftSection={<IconMap2 size={16} aria-hidden />}
      >
        {texts.showOnPlan}
      </ButtonLink>
    </div>
  );
}
