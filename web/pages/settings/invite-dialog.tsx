import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import type { Role } from '../../session/context.js';
import { roleChoices, roleInSentence } from '../../session/roles.js';
import { CopyField } from '../../ui/copy-field.js';
import { FormModal } from '../../ui/form-modal.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { When } from '../../ui/when.js';

type Invitation = Outputs['members']['invite'];

/** Asks for a role, and shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [isDirty, setDirty] = useState(false);
  return (
    <FormModal isDirty={isDirty} onClose={onClose} title={t`Invite member`} size="lg" closeOnClickOutside={false}>
      <Invite onDone={onClose} onDirty={setDirty} />
    </FormModal>
  );
}

function Invite({ onDone, onDirty }: { onDone: () => void; onDirty: (isDirty: boolean) => void }) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  if (!invitation) return <InviteForm onInvited={setInvitation} onCancel={onDone} onDirty={onDirty} />;
  return (
    <Stack>
      {invitation.email_status && <Text fw={600}>{mailText(invitation.email_status, invitation.email ?? '')}</Text>}
      <Text>
        {invitation.email_status === 'sent'
          ? t`You can also send the link yourself.`
          : t`Send this link to the person you invite.`}{' '}
        <Trans>
          One person can use it to join as {roleInSentence(invitation.role)}. It expires{' '}
          <When at={invitation.expires_at} /> and is shown only once.
        </Trans>
      </Text>
      <CopyField label={t`Invitation link`} value={`${location.origin}${invitation.link_path}`} multiline />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t`Done`}</Button>
      </Group>
    </Stack>
  );
}

function mailText(status: NonNullable<Invitation['email_status']>, address: string): string {
  switch (status) {
    case 'sent':
      return t`The invitation was sent to ${address}.`;
    case 'failed':
      return t`The invitation could not be sent to ${address}.`;
    case 'limit_reached':
      return t`No email was sent: your organization has sent 100 invitations in the last 24 hours.`;
    case 'not_configured':
      return t`No email was sent: email is not configured on this server.`;
  }
}

type InviteFormProps = {
  onInvited: (invitation: Invitation) => void;
  onCancel: () => void;
  onDirty: (isDirty: boolean) => void;
};

function InviteForm({ onInvited, onCancel, onDirty }: InviteFormProps) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm<{ role: Role; email: string }>({
    initialValues: { role: 'viewer', email: '' },
    onValuesChange: ({ email }) => onDirty(email !== ''),
    send: invite,
  });

  async function invite({ role, email }: { role: Role; email: string }): Promise<void> {
    const invited = await api.members.invite.mutate(email.trim() === '' ? { role } : { role, email });
    onDirty(false);
    onInvited(invited);
    void refresh(trpc.members);
  }

  return (
    <ServerForm form={form} submit={t`Create link`} onCancel={onCancel}>
      <Radio.Group label={t`Role`} required {...form.getInputProps('role')}>
        <Stack gap="xs" mt="xs">
          {roleChoices.map(({ value, label, summary }) => (
            <Radio key={value} value={value} label={label} description={summary} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        label={t`Email address (optional)`}
        description={t`Only this address can use the link. Where email is configured, the link is sent to it.`}
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
    </ServerForm>
  );
}
