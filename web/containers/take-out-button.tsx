import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconPackageExport } from '@tabler/icons-react';
import { useState } from 'react';
import { useContaining } from './use-containing.js';
import type { NamedAsset } from './words.js';

/** Takes an asset out of its container. */
export function TakeOutButton({ asset: { id, name } }: { asset: NamedAsset }) {
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
        void takeOut([id]).finally(() => setBusy(false));
      }}
    >
      <Trans>Take out</Trans>
    </Button>
  );
}
