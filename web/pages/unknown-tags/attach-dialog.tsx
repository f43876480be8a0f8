import { t } from '@lingui/core/macro';
import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC } from '../../api/trpc.js';
import { AssetSelect } from '../../ui/asset-select.js';
import { FormModal } from '../../ui/form-modal.js';
import type { Choice } from '../../ui/search-select.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { tagTypes } from './tag-types.js';
import type { UnknownValue } from './unknown-value.js';
import { useKnown } from './use-known.js';

type AttachDialogProps = { tag: Pick<UnknownValue, 'tag_type' | 'value'>; onClose: () => void };

/** Attaches an unknown tag to an existing asset. */
export function AttachDialog({ tag, onClose }: AttachDialogProps) {
  const trpc = useTRPC();
  const known = useKnown();
  const [asset, setAsset] = useState<Choice | null>(null);
  const [type, setType] = useState<string>(tag.tag_type ?? 'barcode');
  const attach = useMutation(
    trpc.tags.addToAsset.mutationOptions({
      async onSuccess() {
        await known();
        onClose();
        notifications.show({ message: t`Tag attached. The next read updates the asset’s location.` });
      },
    }),
  );

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const chosen = tagTypes.find(({ value }) => value === type);
    if (asset && chosen) attach.mutate({ asset_id: asset.id, tag_type: chosen.value, value: tag.value });
  }

  return (
    <FormModal isDirty={asset !== null} onClose={onClose} title={t`Attach to asset`}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <TagBadge type={tag.tag_type} value={tag.value} />
          <AssetSelect label={t`Asset`} required value={asset} onChange={setAsset} />
          {tag.tag_type === null && (
            <NativeSelect
              label={t`Tag type`}
              description={t`The handheld did not report a type.`}
              data={tagTypes}
              value={type}
              onChange={(event) => setType(event.currentTarget.value)}
            />
          )}
          <FormProblem problem={attach.error ? problemOf(attach.error) : null} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" loading={attach.isPending} disabled={!asset}>{t`Attach tag`}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
