import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { MemberSelect } from '../../emails/member-select.js';
import type { ScheduledEmail } from '../../emails/use-emails.js';
import { reportNames, timingText } from '../../emails/words.js';
import { useSession } from '../../session/context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { ProblemState } from '../../ui/problem-state.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { Section } from '../../ui/section.js';

/** The person's scheduled emails; renders nothing if there are none, or before they are known. */
export function ScheduledEmailsSection() {
  const trpc = useTRPC();
  const emails = useQuery(trpc.scheduledEmails.list.queryOptions());
  if (!emails.error && !emails.data?.data.length) return null;
  return (
    <Section
      title={t`Scheduled emails`}
      description={t`Views of assets and reports that you get by email, and that you have sent to others.`}
    >
      {emails.error && <ProblemState error={emails.error} onRetry={() => void emails.refetch()} />}
      {emails.data?.data.map((email) => (
        <EmailRow key={email.id} email={email} />
      ))}
    </Section>
  );
}

function EmailRow({ email }: { email: ScheduledEmail }) {
  const { id, view, report, is_paused: isPaused, time_zone: zone, last_sent_at: sentAt, sender } = email;
  const { can } = useSession();
  const [isChoosing, setChoosing] = useState(false);
  const { trpc, api, refresh } = useServer();
  const name = view?.name ?? (report ? reportNames[report.kind] : '');

  async function send(): Promise<void> {
    await api.scheduledEmails.sendNow.mutate({ id });
    notifications.show({ message: t`The email will be sent within a minute.` });
  }

  async function change(): Promise<void> {
    try {
      await api.scheduledEmails.setPaused.mutate({ id, is_paused: !isPaused });
    } finally {
      await refresh(trpc.scheduledEmails);
    }
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
        {sender !== null && (
          <Text size="sm" c="dimmed">
            <Trans>
              Scheduled by <UserText>{sender}</UserText>
            </Trans>
          </Text>
        )}
        <Recipients email={email} />
      </Stack>
      <Group gap="xs">
        <ActionButton size="xs" onAct={send}>
          <Trans>Send now</Trans>
          <VisuallyHidden> {name}</VisuallyHidden>
        </ActionButton>
        {sender === null && can('manager') && (
          <Button size="xs" variant="default" onClick={() => setChoosing(true)}>
            <Trans>Recipients…</Trans>
            <VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        )}
        <ActionButton size="xs" onAct={change}>
          {isPaused ? t`Resume` : t`Pause`}
          <VisuallyHidden> {name}</VisuallyHidden>
        </ActionButton>
        <ConfirmButton
          size="xs"
          question={t`Delete these emails?`}
          consequence={deletionText(email)}
          confirm={t`Delete emails`}
          onConfirm={async () => {
            await api.scheduledEmails.delete.mutate({ id });
            await refresh(trpc.scheduledEmails);
          }}
        >
          <Trans>Delete</Trans>
          <VisuallyHidden> {name}</VisuallyHidden>
        </ConfirmButton>
      </Group>
      {isChoosing && <RecipientsDialog email={email} onDone={() => setChoosing(false)} />}
    </Group>
  );
}

function deletionText({ recipients }: ScheduledEmail): string {
  return recipients.length === 0
    ? t`You no longer get them. The view or the report stays.`
    : t`You and the other recipients no longer get them. The view or the report stays.`;
}

/** Names the other members who get an email; renders nothing if there are none. */
function Recipients({ email: { recipients } }: { email: ScheduledEmail }) {
  if (recipients.length === 0) return null;
  const names = recipients.map(({ name, is_paused: isStopped }) => (isStopped ? t`${name} (stopped)` : name));
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        Also to <UserText>{names.join(', ')}</UserText>
      </Trans>
    </Text>
  );
}

function RecipientsDialog({ email, onDone }: { email: ScheduledEmail; onDone: () => void }) {
  const { trpc, api, answers } = useServer();
  const form = useServerForm({
    initialValues: { user_ids: email.recipients.map(({ user_id: id }) => String(id)) },
    send: save,
  });

  async function save({ user_ids: userIds }: { user_ids: string[] }): Promise<void> {
    await api.scheduledEmails.setRecipients.mutate({ id: email.id, user_ids: userIds.map(Number) });
    await answers.invalidateQueries(trpc.scheduledEmails.pathFilter());
    onDone();
  }

  return (
    <FormDialog form={form} title={t`Recipients`} aria-label={t`Recipients`} submit={t`Save`} onClose={onDone}>
      <MemberSelect
        value={form.values.user_ids}
        onChange={(userIds) => form.setFieldValue('user_ids', userIds)}
        error={form.errors['user_ids']}
      />
    </FormDialog>
  );
}
