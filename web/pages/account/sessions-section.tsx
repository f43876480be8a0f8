import { Group } from '@mantine/core';
import { useSignOut } from '../../shell/use-sign-out.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Section } from './section.js';

export function SessionsSection() {
  const { signOut, dialog } = useSignOut();
  return (
    <Section title="Devices" description="Lost a device, or signed in on someone else’s?">
      <Group>
        <ConfirmButton
          question="Sign out everywhere?"
          consequence="Signs out all your devices, including this one, in all organizations."
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
