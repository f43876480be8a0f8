import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { IconPackageExport } from '@tabler/icons-react';
import { useState } from 'react';
import { useContaining } from './use-containing.js';
import type { NamedAsset } from './words.js';

type TakeOutButtonProps = { asset: NamedAsset; containerId: number | undefined; isInList?: boolean };

/** Takes an asset out of its container. In a list on a phone the names need the room, so the button has its icon alone. */
export function TakeOutButton({ asset: { id, name }, containerId, isInList = false }: TakeOutButtonProps) {
  const { takeOut } = useContaining();
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      size="xs"
      variant="default"
      loading={isBusy}
      aria-label={t`Take out ${name}`}
      leftSection={<IconPackageExport size={16} aria-hidden />}
      onClick={() => {
        setBusy(true);
        void takeOut(containerId, [id]).finally(() => setBusy(false));
      }}
    >
      <Text span inherit {...(isInList && { visibleFrom: 'xs' })}>
        <Trans>Take out</Trans>
      </Text>
    </Button>
  );
}
