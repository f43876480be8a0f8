import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useServer } from '../../api/use-server.js';
import { lazyPart } from '../../ui/lazy-part.js';

// Loaded when it is opened: the home page has the button, and most visits do not need the form.
const InviteDialog = lazyPart(() => import('./invite-dialog.js'), 'InviteDialog');

/** Creates a link with which one person can join. If email is configured, the service sends it to the given address. */
export function InviteButton({ variant = 'filled' }: { variant?: 'filled' | 'default' }) {
  const { trpc, refresh } = useServer();
  const [isOpen, { open, close }] = useDisclosure(false);

  function onClose(): void {
    close();
    // Only after closing: the invitation may complete the first steps, whose card would disappear together with the
    // link.
    void refresh(trpc.organizations.firstSteps);
  }

  return (
    <>
      <Button
        variant={variant}
        leftSection={<IconUserPlus size={18} aria-hidden />}
        onClick={open}
      >{t`Invite member`}</Button>
      <Suspense fallback={null}>{isOpen && <InviteDialog onClose={onClose} />}</Suspense>
    </>
  );
}
