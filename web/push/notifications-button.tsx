import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../ui/lazy-part.js';

const NotificationsDialog = lazyPart(() => import('./notifications-dialog.js'), 'NotificationsDialog');

/** Turns notifications of alerts on and off on this device. */
export function NotificationsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBellRinging size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >{t`Notifications on this device…`}</Button>
      {isOpen && (
        <Suspense>
          <NotificationsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
