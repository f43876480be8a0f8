import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../../api/errors.js';
import { useServer } from '../../api/use-server.js';
import { KindPicture } from '../../kinds/kind-picture.js';
import { KindSelect } from '../../kinds/kind-select.js';
import { useSession } from '../../session/context.js';
import { UserText } from '../../ui/user-text.js';
import type { AssetDetail } from './asset-values.js';

/** The kind of an asset, with its picture; managers choose it here. */
export function KindFact({ asset: { id, kind } }: { asset: AssetDetail }) {
  const { trpc, api, refresh } = useServer();
  const { can } = useSession();

  async function choose(kindId: number | null): Promise<void> {
    try {
      await api.assetKinds.setOfAsset.mutate({ asset_id: id, kind_id: kindId });
      await refresh(trpc.assets);
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', message: `${title}. ${detail}` });
    }
  }

  return (
    <Group gap="xs" wrap="nowrap">
      {kind && <KindPicture kind={kind} size={24} />}
      {can('manager') ? (
        <KindSelect
          size="xs"
          aria-label={t`Kind`}
          none={t`None`}
          value={kind?.id ?? null}
          onChange={(kindId) => void choose(kindId)}
        />
      ) : (
        <UserText>{kind?.name ?? t`None`}</UserText>
      )}
    </Group>
  );
}
