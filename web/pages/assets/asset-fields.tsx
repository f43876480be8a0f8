import { t } from '@lingui/core/macro';
import { Group, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AssetValues } from './asset-values.js';
import { MetadataField, type MetadataFieldProps } from './metadata-field.js';

/** The fields of the forms that create and change an asset. */
export function AssetFields<Values extends AssetValues>({ form }: { form: UseFormReturnType<Values> }) {
  const metadata = form.getInputProps('metadata') as Omit<MetadataFieldProps, 'value'>;
  return (
    <Stack>
      <TextInput label={t`Name`} required maxLength={512} {...form.getInputProps('name')} />
      <Textarea label={t`Description`} autosize minRows={2} maxRows={8} {...form.getInputProps('description')} />
      <Switch
        label={t`Active`}
        description={t`Inactive assets stay in the list, and their reads are kept.`}
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          type="datetime-local"
          label={t`Valid from`}
          description={t`Leave blank to start now.`}
          {...form.getInputProps('valid_from')}
        />
        <TextInput
          type="datetime-local"
          label={t`Valid until`}
          description={t`Leave blank for no end date.`}
          {...form.getInputProps('valid_to')}
        />
      </Group>
      <MetadataField value={form.values.metadata} onChange={metadata.onChange} error={metadata.error} />
    </Stack>
  );
}
