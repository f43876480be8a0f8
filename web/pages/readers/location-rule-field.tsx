import { Radio, Stack } from '@mantine/core';
import type { ReaderForm } from './reader-form.js';

/** Sets whether a reader decides with all other evidence or by each of its reads alone. */
export function LocationRuleField({ form }: { form: ReaderForm }) {
  return (
    <Radio.Group label="Location rule" {...form.getInputProps('location_rule')}>
      <Stack gap="xs" mt={6}>
        <Radio
          value="evidence"
          label="By evidence (recommended)"
          description="Compares the reads of all antennas, so that a stray read of the next aisle does not move an asset."
        />
        <Radio
          value="newest"
          label="Newest read"
          description="Each read of this reader places the asset at once. For isolated rooms and single-read gates."
        />
      </Stack>
    </Radio.Group>
  );
}
