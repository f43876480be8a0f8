import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../ui/lazy-part.js';
import { type ScheduledEmail, useEmails } from './use-emails.js';
import type { EmailedReport } from './words.js';

const EmailDialog = lazyPart(() => import('./email-dialog.js'), 'EmailDialog');

/** Schedules emails of a report; renders nothing if email is not configured. */
export function EmailReportButton({ report }: { report: EmailedReport }) {
  const [isOpen, setOpen] = useState(false);
  const canEmail = useEmails((email) => isSame(email, report));
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

/** Returns whether an email is about a report, whatever the period that is shown. */
function isSame({ report: emailed }: ScheduledEmail, report: EmailedReport): boolean {
  return (
    emailed?.kind === report.kind &&
    emailed.location_id === report.location_id &&
    emailed.asset_id === report.asset_id &&
    (report.kind !== 'unseen' || emailed.days === report.days)
  );
}
