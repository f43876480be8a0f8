import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRestore } from '@tabler/icons-react';
import { useState } from 'react';
import type { Outputs } from '../../api/trpc.js';
import { failureText, type RestoreFailure } from '../../trash/restore-text.js';
import { useRestore } from '../../trash/use-restore.js';
import { ActionButton } from '../../ui/action-button.js';
import { ButtonLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';

export type DeletedItem = Outputs['trash']['list']['data'][number];

/** Restores one row. If that is not possible, a dialog explains why and links to the row that is in the way. */
export function RestoreButton({ item: { kind, id, name } }: { item: DeletedItem }) {
  const restore = useRestore();
  const [failure, setFailure] = useState<RestoreFailure>();

  async function act(): Promise<void> {
    const [refused] = await restore(kind === 'asset' ? { assetIds: [id] } : { locationIds: [id] });
    setFailure(refused);
    if (!refused) notifications.show({ message: t`${name} restored` });
  }

  return (
    <>
      <ActionButton
        size="xs"
        leftSection={<IconRestore size={16} aria-hidden />}
        aria-label={t`Restore ${name}`}
        onAct={act}
      >{t`Restore`}</ActionButton>
      <Modal opened={failure !== undefined} onClose={() => setFailure(undefined)} title={t`${name} was not restored`}>
        {failure && (
          <Stack align="flex-start">
            <Text>{failureText(failure)}</Text>
            {'by' in failure && failure.reason !== 'parent_deleted' && <ObstacleLink {...failure.by} />}
          </Stack>
        )}
      </Modal>
    </>
  );
}

function ObstacleLink({ kind, id, name }: { kind: 'asset' | 'location'; id: number; name: string }) {
  const label = (
    <Trans>
      Open <UserText>{name}</UserText>
    </Trans>
  );
  return kind === 'asset' ? (
    <ButtonLink to="/assets/$assetId" params={{ assetId: String(id) }}>
      {label}
    </ButtonLink>
  ) : (
    <ButtonLink to="/locations/$locationId" params={{ locationId: String(id) }}>
      {label}
    </ButtonLink>
  );
}
