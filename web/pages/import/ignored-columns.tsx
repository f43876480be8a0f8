import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { UserText } from '../../ui/user-text.js';

/** Names the columns of a file that an import leaves out; renders nothing if there are none. */
export function IgnoredColumns({ headers }: { headers: readonly string[] }) {
  if (headers.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconInfoCircle />} title={t`Columns not imported`}>
      <UserText>{headers.join(', ')}</UserText>
    </Alert>
  );
}
