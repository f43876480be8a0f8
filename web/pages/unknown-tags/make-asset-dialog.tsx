import { t } from '@lingui/core/macro';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC } from '../../api/trpc.js';
import { FormModal } from '../../ui/form-modal.js';
import { TagBadge } from '../../ui/tag-badge.js';
import { tagTypes } from './tag-types.js';
import type { UnknownValue } from './unknown-value.js';
import { useKnown } from './use-known.js';

type MakeAssetDialogProps = { tag: UnknownValue; onClose: () => void };

/** Creates an asset from an unknown tag; only a name is needed. */
export function MakeAssetDialog({ tag, onClose }: MakeAssetDialogProps) {
  const trpc = useTRPC();
  const known = useKnown();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { name: tag.value, tag_type: tag.tag_type ?? 'barcode' } });
  const create = useMutation(
    trpc.assets.create.mutationOptions({
      onError: (error) => setProblem(applyProblem(form, error)),
      async onSuccess() {
        await known();
        onClose();
        notifications.show({ message: t`Asset created. Its next read sets its location.` });
      },
    }),
  );
  return (
    <FormModal isDirty={form.isDirty()} onClose={onClose} title={t`Create asset`}>
      <form
        noValidate
        onSubmit={form.onSubmit(({ name, tag_type }) => {
          setProblem(null);
          create.mutate({ name, tags: [{ tag_type, value: tag.value }] });
        })}
      >
        <Stack>
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
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" loading={create.isPending}>{t`Create asset`}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
