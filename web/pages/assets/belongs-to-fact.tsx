import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../../api/errors.js';
import { useServer } from '../../api/use-server.js';
import { useSession } from '../../session/context.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { AssetDetail } from './asset-values.js';
import { LocationPath } from './location-path.js';

/** The location that an asset belongs to; managers choose it here. */
export function BelongsToFact({ asset: { id, belongs_to: belongsTo } }: { asset: AssetDetail }) {
  const { trpc, api, refresh } = useServer();
  const { can } = useSession();

  async function choose(locationId: number | null): Promise<void> {
    try {
      await api.assets.setBelongsTo.mutate({ asset_id: id, belongs_to_id: locationId });
      await refresh(trpc.assets);
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', message: `${title}. ${detail}` });
    }
  }

  if (can('manager')) {
    const name = belongsTo?.is_deleted ? t`${belongsTo.name} (deleted)` : belongsTo?.name;
    return (
      <LocationSelect
        size="xs"
        label={t`Belongs to`}
        isLabelHidden
        placeholder={t`None`}
        value={belongsTo && { id: belongsTo.id, label: name ?? '' }}
        onChange={(choice) => void choose(choice?.id ?? null)}
      />
    );
  }
  if (belongsTo) return <LocationPath location={belongsTo} isSeen isOneLine />;
  return <Text c="dimmed" component="span">{t`None`}</Text>;
}
