import { t } from '@lingui/core/macro';
import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export type LocationValues = { name: string; external_key: string; description: string; is_active: boolean };

type LocationFieldsProps = { form: UseFormReturnType<LocationValues>; keyHint: string; isKeyFixed?: boolean };

/** The fields of a location. */
export function LocationFields({ form, keyHint, isKeyFixed = false }: LocationFieldsProps) {
  return (
    <Stack>
      <TextInput label={t`Name`} required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t`Key`}
        description={keyHint}
        disabled={isKeyFixed}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('external_key')}
      />
      <Textarea label={t`Description`} autosize minRows={2} maxRows={8} {...form.getInputProps('description')} />
      <Switch
        label={t`Active`}
        description={t`An inactive location stays in the tree and still collects reads.`}
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </Stack>
  );
}
