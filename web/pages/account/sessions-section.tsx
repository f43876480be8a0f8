import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { useSignOut } from '../../shell/use-sign-out.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Section } from '../../ui/section.js';

export function SessionsSection() {
  const { signOut, dialog } = useSignOut();
  return (
    <Section title={t`Devices`} description={t`Lost a device, or signed in on someone else’s?`}>
      <Group>
        <ConfirmButton
          question={t`Sign out everywhere?`}
          consequence={t`Signs out all your devices, including this one, in all organizations.`}
          confirm={t`Sign out everywhere`}
          onConfirm={() => signOut({ everywhere: true })}
        >
          <Trans>Sign out everywhere</Trans>
        </ConfirmButton>
      </Group>
      {dialog}
    </Section>
  );
}
