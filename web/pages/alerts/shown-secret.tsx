import { Alert, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyField } from '../../ui/copy-field.js';

/** A signing secret, in the one moment in which it can be read. */
export function ShownSecret({ secret }: { secret: string }) {
  return (
    <Stack>
      <Alert color="orange" icon={<IconEyeOff />} title="Copy it now">
        The secret is shown only once. The receiver needs it to verify that requests come from here.
      </Alert>
      <CopyField label="Signing secret" value={secret} multiline />
    </Stack>
  );
}
