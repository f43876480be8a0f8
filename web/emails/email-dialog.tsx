import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Inputs } from '../api/trpc.js';
import { useServer } from '../api/use-server.js';
import { useSession } from '../session/context.js';
import { FormDialog } from '../ui/form-dialog.js';
import { shownTimeZone } from '../ui/formats.js';
import { quantity } from '../ui/quantity.js';
import { useServerForm } from '../ui/use-server-form.js';
import { UserText } from '../ui/user-text.js';
import { MemberSelect } from './member-select.js';
import { UnconfirmedAddress } from './unconfirmed-address.js';
import { useMailWaits } from './use-mail-waits.js';
import { type EmailedReport, hourText, reportNames, timingText, weekdays } from './words.js';

type NewEmail = Inputs['scheduledEmails']['create'];

/** What emails are about: a saved view of the assets, or a report with its filters. */
export type EmailSubject = { view: { id: number; name: string } } | { report: EmailedReport };

type Values = {
  frequency: NewEmail['frequency'];
  day: string;
  hour: string;
  format: NewEmail['format'];
  user_ids: string[];
};

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));
const days = Array.from({ length: 31 }, (_, index) => String(index + 1));

/** Schedules emails of a view or a report to the person, and to other members. */
export function EmailDialog({ subject, onDone }: { subject: EmailSubject; onDone: () => void }) {
  const { trpc, api, refresh } = useServer();
  const { user } = useSession();
  const mailWaits = useMailWaits();
  const form = useServerForm<Values>({
    initialValues: { frequency: 'weekly', day: '1', hour: '7', format: 'xlsx', user_ids: [] },
    send: save,
  });
  const zone = shownTimeZone();
  const { frequency } = form.values;

  async function save({ day, hour, ...values }: Values): Promise<void> {
    const timing = { frequency: values.frequency, day: Number(day), hour: Number(hour) };
    await api.scheduledEmails.create.mutate({
      ...('view' in subject ? { view_id: subject.view.id } : { report: subject.report }),
      ...timing,
      format: values.format,
      user_ids: values.user_ids.map(Number),
      time_zone: zone,
    });
    await refresh(trpc.scheduledEmails);
    notifications.show({ message: t`Email scheduled: ${timingText(timing)}` });
    onDone();
  }

  return (
    <FormDialog
      form={form}
      title={t`Schedule emails`}
      aria-label={t`Schedule emails`}
      submit={t`Schedule`}
      onClose={onDone}
    >
      <Text size="sm">
        <Trans>
          Sends “<UserText>{'view' in subject ? subject.view.name : reportNames[subject.report.kind]}</UserText>” to{' '}
          <UserText>{user.email}</UserText>.
        </Trans>{' '}
        {'report' in subject && periodText(subject.report)}
      </Text>
      <NativeSelect
        label={t`How often`}
        data={[
          { value: 'daily', label: t`Every day` },
          { value: 'weekly', label: t`Every week` },
          { value: 'monthly', label: t`Every month` },
        ]}
        {...form.getInputProps('frequency')}
      />
      {frequency === 'weekly' && (
        <NativeSelect
          label={t`Day of the week`}
          data={weekdays.map((label, index) => ({ value: String(index + 1), label }))}
          {...form.getInputProps('day')}
        />
      )}
      {frequency === 'monthly' && (
        <NativeSelect
          label={t`Day of the month`}
          description={t`In a shorter month, the last day.`}
          data={days}
          {...form.getInputProps('day')}
        />
      )}
      <NativeSelect label={t`Time`} description={t`Time zone: ${zone}`} data={hours} {...form.getInputProps('hour')} />
      <NativeSelect
        label={t`File`}
        data={[
          { value: 'xlsx', label: t`Excel workbook` },
          { value: 'csv', label: t`CSV` },
        ]}
        {...form.getInputProps('format')}
      />
      <MemberSelect
        value={form.values.user_ids}
        onChange={(userIds) => form.setFieldValue('user_ids', userIds)}
        error={form.errors['user_ids']}
      />
      <Text size="sm" c="dimmed">
        {t`A file above 5 MB is not attached; the email then links to this page. Your account page lists your emails, and can send them at once.`}
      </Text>
      {mailWaits && <UnconfirmedAddress />}
    </FormDialog>
  );
}

/** Returns the period of an email in words. The days in the filters of the page would stay the same in each email. */
function periodText({ kind, days: length = 1 }: EmailedReport): string {
  if (kind === 'inventory' || kind === 'missing') return t`Each email is about the time at which it is sent.`;
  if (kind === 'unseen') return '';
  return t`Each email is about the time before its day: ${quantity(length, 'day')}.`;
}
