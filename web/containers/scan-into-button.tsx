import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconScan } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { openAt } from '../scanning/batches.js';
import { openScanStore } from '../scanning/store.js';
import { useSession } from '../session/context.js';
import { ownerOf } from '../session/owner.js';
import type { NamedAsset } from './words.js';

/** Opens the Scan page, where what is scanned goes into the container; it needs no tag for this. */
export function ScanIntoButton({ container: { id, name } }: { container: NamedAsset }) {
  const owner = ownerOf(useSession());
  const navigate = useNavigate();

  async function start(): Promise<void> {
    try {
      const store = await openScanStore();
      const isOpen = await openAt({ store, owner }, { id, name, is: 'container' }).finally(() => store.close());
      if (!isOpen) notifications.show({ color: 'orange', message: t`Send or clear what you are scanning first` });
    } catch {
      notifications.show({ color: 'red', message: t`The browser can’t store scans on this device.` });
    }
    await navigate({ to: '/scan' });
  }

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconScan size={16} aria-hidden />}
      onClick={() => void start()}
    >{t`Scan into it`}</Button>
  );
}
