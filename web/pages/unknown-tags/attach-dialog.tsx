import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useServer } from '../../api/use-server.js';
import { AssetSelect } from '../../ui/asset-select.js';
import { FormDialog } from '../../ui/form-dialog.js';
import type { Choice } from '../../ui/search-select.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { tagTypes } from './tag-types.js';
import type { UnknownValue } from './unknown-value.js';

type AttachDialogProps = { tag: Pick<UnknownValue, 'tag_type' | 'value'>; onClose: () => void };

type Values = { asset: Choice | null; tag_type: string };

/** Attaches an unknown tag to an existing asset. */
export function AttachDialog({ tag, onClose }: AttachDialogProps) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm<Values>({
    initialValues: { asset: null, tag_type: tag.tag_type ?? 'barcode' },
    send: attach,
  });

  async function attach({ asset, tag_type: type }: Values): Promise<void> {
    const chosen = tagTypes.find(({ value }) => value === type);
    if (!asset || !chosen) return;
    await api.tags.addToAsset.mutate({ asset_id: asset.id, tag_type: chosen.value, value: tag.value });
    await refresh(trpc.assets, trpc.scans);
    onClose();
    notifications.show({ message: t`Tag attached. The next read updates the asset’s location.` });
  }

  return (
    <FormDialog
      form={form}
      title={t`Attach to asset`}
      submit={t`Attach tag`}
      isDisabled={form.values.asset === null}
      onClose={onClose}
    >
      <TagBadge type={tag.tag_type} value={tag.value} />
      <AssetSelect label={t`Asset`} required {...form.getInputProps('asset')} value={form.values.asset} />
      {tag.tag_type === null && (
        <NativeSelect
          label={t`Tag type`}
          description={t`The handheld did not report a type.`}
          data={tagTypes}
          {...form.getInputProps('tag_type')}
        />
      )}
    </FormDialog>
  );
}
