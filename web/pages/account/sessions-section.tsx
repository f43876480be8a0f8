import { Group } from '@mantine/core';
import { useSignOut } from '../../shell/use-sign-out.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Section } from './section.js';

export function SessionsSection() {
  const { signOut, dialog } = useSignOut();
  return (
    <Section title="Devices" description="Left a device behind, or signed in on one that is not yours?">
      <Group>
        <ConfirmButton
          question="Sign out everywhere?"
          consequence="All your devices are signed out at once, this one too, in all organisations."
          confirm="Sign out everywhere"
          onConfirm={() => signOut({ everywhere: true })}
        >
          Sign out everywhere
        </ConfirmButton>
      </Group>
      {dialog}
    </Section>
  );
}
