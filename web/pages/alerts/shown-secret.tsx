import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyField } from '../../ui/copy-field.js';

/** A signing secret, which is shown only once. */
export function ShownSecret({ secret }: { secret: string }) {
  return (
    <Stack>
      <Alert color="orange" icon={<IconEyeOff />} title={t`Copy it now`}>
        <Trans>The secret is shown only once. The receiver needs it to verify that requests come from here.</Trans>
      </Alert>
      <CopyField label={t`Signing secret`} value={secret} multiline />
    </Stack>
  );
}
