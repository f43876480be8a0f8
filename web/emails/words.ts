import { t } from '@lingui/core/macro';
import type { Inputs } from '../api/trpc.js';

type NewEmail = Inputs['scheduledEmails']['create'];

/** The report of an email. */
export type EmailedReport = NonNullable<NewEmail['report']>;

export const weekdays = [t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`];

export const reportNames: Record<EmailedReport['kind'], string> = {
  dwell: t`Dwell time`,
  flow: t`Flow`,
  use: t`Asset use`,
  inventory: t`Inventory`,
  unseen: t`Not seen`,
  missing: t`Missing`,
};

export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

type Timing = { frequency: NewEmail['frequency']; day: number; hour: number };

/** Returns when emails are sent, such as "Mondays at 07:00". */
export function timingText({ frequency, day, hour }: Timing): string {
  const time = hourText(hour);
  switch (frequency) {
    case 'daily':
      return t`Every day at ${time}`;
    case 'weekly':
      return t`Every week on ${weekdays[day - 1] ?? ''} at ${time}`;
    case 'monthly':
      return t`Every month on day ${day} at ${time}`;
  }
}
