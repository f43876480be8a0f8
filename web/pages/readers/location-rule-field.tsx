import { t } from '@lingui/core/macro';
import { Radio, Stack } from '@mantine/core';
import type { ReaderForm } from './reader-form.js';

/** Sets whether a reader's reads decide together with all other evidence, or each read by itself. */
export function LocationRuleField({ form }: { form: ReaderForm }) {
  return (
    <Radio.Group label={t`Location rule`} {...form.getInputProps('location_rule')}>
      <Stack gap="xs" mt={6}>
        <Radio
          value="evidence"
          label={t`By evidence (recommended)`}
          description={t`Compares the reads of all antennas, so that a stray read of the next aisle does not move an asset.`}
        />
        <Radio
          value="newest"
          label={t`Newest read`}
          description={t`Each read of this reader places the asset at once. For isolated rooms and single-read gates.`}
        />
      </Stack>
    </Radio.Group>
  );
}
