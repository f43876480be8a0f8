import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyField } from '../../ui/copy-field.js';

export type CreatedKeyProps = { name: string; organizationName: string; token: string };

/** The token of a new key, which is shown only once, and a first call with it. */
export function CreatedKey({ token }: Pick<CreatedKeyProps, 'token'>) {
  return (
    <Stack>
      <Alert color="orange" icon={<IconEyeOff />} title={t`Copy it now`}>
        <Trans>
          The token is shown only once. Store it with the other system’s secrets. Anyone who has it can use this key.
        </Trans>
      </Alert>
      <CopyField label={t`Token`} value={token} multiline />
      <CopyField label={t`Example request`} value={firstCall(token)} multiline />
    </Stack>
  );
}

/** Returns a command that requests the organization of the key, which every key may do. */
function firstCall(token: string): string {
  return `curl ${location.origin}/api/v1/orgs/me -H 'Authorization: Bearer ${token}'`;
}
