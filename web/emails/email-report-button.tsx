import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../ui/lazy-part.js';
import { useCanEmail } from './use-emails.js';
import type { EmailedReport } from './words.js';

const EmailDialog = lazyPart(() => import('./email-dialog.js'), 'EmailDialog');

/** Schedules emails of a report; renders nothing if email is not configured. */
export function EmailReportButton({ report }: { report: EmailedReport }) {
  const [isOpen, setOpen] = useState(false);
  const canEmail = useCanEmail();
  if (!canEmail) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconMail size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        <Trans>Email this report…</Trans>
      </Button>
      {isOpen && (
        <Suspense>
          <EmailDialog subject={{ report }} onDone={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
