import { t } from '@lingui/core/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useServer } from '../../api/use-server.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { tagTypes } from './tag-types.js';
import type { UnknownValue } from './unknown-value.js';

type MakeAssetDialogProps = { tag: UnknownValue; onClose: () => void };

/** Creates an asset from an unknown tag; only a name is needed. */
export function MakeAssetDialog({ tag, onClose }: MakeAssetDialogProps) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm({ initialValues: { name: tag.value, tag_type: tag.tag_type ?? 'barcode' }, send: create });

  async function create({ name, tag_type }: { name: string; tag_type: NonNullable<UnknownValue['tag_type']> }) {
    await api.assets.create.mutate({ name, tags: [{ tag_type, value: tag.value }] });
    await refresh(trpc.assets, trpc.scans);
    onClose();
    notifications.show({ message: t`Asset created. Its next read sets its location.` });
  }

  return (
    <FormDialog form={form} title={t`Create asset`} submit={t`Create asset`} onClose={onClose}>
      <TagBadge type={tag.tag_type} value={tag.value} />
      <TextInput label={t`Name`} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
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
