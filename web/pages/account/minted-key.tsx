import { Alert, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyField } from '../../ui/copy-field.js';

export type MintedKeyProps = { name: string; organizationName: string; token: string };

/** A key's token, in the one moment in which it is known, and a first call with it. */
export function MintedKey({ token }: Pick<MintedKeyProps, 'token'>) {
  return (
    <Stack>
      <Alert color="orange" icon={<IconEyeOff />} title="Copy it now">
        The token is shown this once. Keep it where the other system keeps its secrets; whoever has it can do what the
        key may.
      </Alert>
      <CopyField label="Token" value={token} multiline />
      <CopyField label="A first call" value={firstCall(token)} multiline />
    </Stack>
  );
}

/** Asks which organisation the key is of, which every key may. */
function firstCall(token: string): string {
  return `curl ${location.origin}/api/v1/orgs/me -H 'Authorization: Bearer ${token}'`;
}
