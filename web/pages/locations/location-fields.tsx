import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export type LocationValues = { name: string; external_key: string; description: string; is_active: boolean };

type LocationFieldsProps = { form: UseFormReturnType<LocationValues>; keyHint: string; isKeyFixed?: boolean };

/** What a location says of itself. */
export function LocationFields({ form, keyHint, isKeyFixed = false }: LocationFieldsProps) {
  return (
    <Stack>
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="Key"
        description={keyHint}
        disabled={isKeyFixed}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('external_key')}
      />
      <Textarea label="Description" autosize minRows={2} maxRows={8} {...form.getInputProps('description')} />
      <Switch
        label="Active"
        description="An inactive location stays in the tree and still collects reads."
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </Stack>
  );
}
