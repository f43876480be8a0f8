import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBarcode } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { useWedgeScanner } from '../../scanning/use-wedge-scanner.js';
import { useSession } from '../../session/context.js';
import { tagIdNotice } from '../../tags/tag-id-notice.js';
import { ActionButton } from '../../ui/action-button.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import { EpcText } from '../../ui/epc-text.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { useServerForm } from '../../ui/use-server-form.js';
import type { AssetDetail } from './asset-values.js';
import { type TagType, tagTypes } from './tag-types.js';
import { hasHours, TagHistory } from './tag-history.js';
import { TagValues } from './tag-values.js';

/** Tags of most kinds measure something every few minutes. */
const refetchMs = 30_000;

type Tag = AssetDetail['tags'][number];

/** The tags of an asset: attaches them by typing or scanning, and detaches them. */
export function AssetTags({ asset }: { asset: AssetDetail }) {
  const { can } = useSession();
  const trpc = useTRPC();
  const { data: telemetry } = useQuery(
    trpc.assets.telemetry.queryOptions(
      { asset_id: asset.id },
      { enabled: asset.tags.length > 0, refetchInterval: refetchMs },
    ),
  );
  return (
    <Stack gap="sm">
      {asset.tags.length === 0 && <Text c="dimmed">{t`No tags yet. Readers can't see an asset without a tag.`}</Text>}
      {asset.tags.map((tag) => {
        const values = telemetry?.tags.find(({ tag_id: id }) => id === tag.id)?.values;
        return (
          <div key={tag.id}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <div style={{ minWidth: 0 }}>
                <TagBadge type={tag.tag_type} value={tag.value} />
                <EpcText type={tag.tag_type} value={tag.value} />
                <TagValues values={values} />
              </div>
              {can('manager') && <DetachButton assetId={asset.id} tag={tag} />}
            </Group>
            {hasHours(values) && <TagHistory assetId={asset.id} tagId={tag.id} value={tag.value} />}
          </div>
        );
      })}
      {can('manager') && <AttachForm assetId={asset.id} />}
    </Stack>
  );
}

function DetachButton({ assetId, tag }: { assetId: number; tag: Tag }) {
  const { trpc, api, refresh } = useServer();

  async function detach(): Promise<void> {
    await api.tags.removeFromAsset.mutate({ asset_id: assetId, tag_id: tag.id });
    await refresh(trpc.assets, trpc.scans);
    showUndoNotice(t`Tag ${tag.value} detached`, async () => {
      await api.tags.addToAsset.mutate({ asset_id: assetId, tag_type: tag.tag_type as TagType, value: tag.value });
      await refresh(trpc.assets, trpc.scans);
      return t`Tag ${tag.value} attached again`;
    });
  }

  return (
    <ActionButton size="xs" flex="none" onAct={detach}>
      <Trans>
        Detach<VisuallyHidden> {tag.value}</VisuallyHidden>
      </Trans>
    </ActionButton>
  );
}

function AttachForm({ assetId }: { assetId: number }) {
  const { trpc, api, refresh } = useServer();
  const [isScanning, setScanning] = useState(false);
  const form = useServerForm<{ tag_type: TagType; value: string }>({
    initialValues: { tag_type: 'rfid', value: '' },
    send: attach,
  });
  const guard = useLeaveGuard(form.values.value.trim() !== '');

  async function attach({ tag_type: type, value }: { tag_type: TagType; value: string }): Promise<void> {
    await api.tags.addToAsset.mutate({ asset_id: assetId, tag_type: type, value: value.trim() });
    form.setFieldValue('value', '');
    notifications.show({ message: t`Tag ${value} attached` });
    await refresh(trpc.assets, trpc.scans);
  }

  useWedgeScanner(
    (value) => {
      form.setFieldValue('value', value);
      void form.attempt(() => attach({ tag_type: form.values.tag_type, value }));
    },
    { enabled: isScanning },
  );

  return (
    <form onSubmit={form.send} noValidate>
      <Stack gap="xs">
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <NativeSelect label={t`Type`} data={[...tagTypes]} {...form.getInputProps('tag_type')} />
          <TextInput
            label={t`Tag ID`}
            flex={1}
            miw={0}
            styles={{ input: { fontFamily: 'monospace' } }}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={tagIdNotice(form.values.tag_type, form.values.value)}
            {...form.getInputProps('value')}
          />
        </Group>
        <FormProblem problem={form.problem} />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={form.submitting}>{t`Attach tag`}</Button>
          <Button
            size="xs"
            variant={isScanning ? 'light' : 'default'}
            aria-pressed={isScanning}
            leftSection={<IconBarcode size={16} aria-hidden />}
            onClick={() => setScanning(!isScanning)}
          >
            <Trans>Attach by scanning</Trans>
          </Button>
        </Group>
        {isScanning && (
          <Text size="sm" c="dimmed" role="status">
            <Trans>Scan a tag with a keyboard scanner. It is attached immediately.</Trans>
          </Text>
        )}
      </Stack>
      {guard.question}
    </form>
  );
}
