import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { problemOf } from '../../api/errors.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import type { ScheduledEmail } from '../../emails/use-emails.js';
import { reportNames, timingText } from '../../emails/words.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { Section } from '../../ui/section.js';

/** The person's scheduled emails; renders nothing if there are none, or before they are known. */
export function ScheduledEmailsSection() {
  const trpc = useTRPC();
  const emails = useQuery(trpc.scheduledEmails.list.queryOptions());
  if (!emails.error && !emails.data?.data.length) return null;
  return (
    <Section title={t`Scheduled emails`} description={t`Views of assets and reports that you get by email.`}>
      {emails.error && <ProblemState error={emails.error} onRetry={() => void emails.refetch()} />}
      {emails.data?.data.map((email) => (
        <EmailRow key={email.id} email={email} />
      ))}
    </Section>
  );
}

function EmailRow({ email }: { email: ScheduledEmail }) {
  const { id, view, report, is_paused: isPaused, time_zone: zone, last_sent_at: sentAt } = email;
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const name = view?.name ?? (report ? reportNames[report.kind] : '');
  const refresh = () => answers.invalidateQueries(trpc.scheduledEmails.pathFilter());

  async function change(): Promise<void> {
    try {
      await api.scheduledEmails.setPaused.mutate({ id, is_paused: !isPaused });
    } catch (error) {
      notifications.show({ color: 'red', message: problemOf(error).detail });
    }
    await refresh();
  }

  return (
    <Group justify="space-between" role="group" aria-label={name}>
      <Stack gap={0}>
        <Group gap="xs">
          <Text fw={550} component="span">
            <UserText>{name}</UserText>
          </Text>
          {isPaused && <Badge color="orange">{t`Paused`}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {timingText(email)} ({zone}).{' '}
          <Trans>
            Last sent: <When at={sentAt} />
          </Trans>
        </Text>
      </Stack>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => void change()}>
          {isPaused ? <Trans>Resume</Trans> : <Trans>Pause</Trans>}
          <VisuallyHidden> {name}</VisuallyHidden>
        </Button>
        <ConfirmButton
          size="xs"
          question={t`Delete these emails?`}
          consequence={t`You no longer get them. The view or the report stays.`}
          confirm={t`Delete emails`}
          onConfirm={async () => {
            await api.scheduledEmails.delete.mutate({ id });
            await refresh();
          }}
        >
          <Trans>Delete</Trans>
          <VisuallyHidden> {name}</VisuallyHidden>
        </ConfirmButton>
      </Group>
    </Group>
  );
}
