import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { lazyPart } from '../../ui/lazy-part.js';

// Home has the button, and most visits of it need no form.
const InviteDialog = lazyPart(() => import('./invite-dialog.js'), 'InviteDialog');

/** Creates a link with which one person can join. Where email is configured, the service sends it to the address given. */
export function InviteButton({ variant = 'filled' }: { variant?: 'filled' | 'default' }) {
  const trpc = useTRPC();
  const answers = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);

  function onClose(): void {
    close();
    // Not before: the first steps may be complete with the invitation, and would take the link away with them.
    void answers.invalidateQueries(trpc.organizations.firstSteps.pathFilter());
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
