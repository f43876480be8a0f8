import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { lazyPart } from '../../ui/lazy-part.js';

// Loaded when it is opened: the home page has the button, and most visits do not need the form.
const InviteDialog = lazyPart(() => import('./invite-dialog.js'), 'InviteDialog');

/** Creates a link with which one person can join. If email is configured, the service sends it to the given address. */
export function InviteButton({ variant = 'filled' }: { variant?: 'filled' | 'default' }) {
  const trpc = useTRPC();
  const answers = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);

  function onClose(): void {
    close();
    // Only after closing: the invitation may complete the first steps, whose card would disappear together with the
    // link.
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
