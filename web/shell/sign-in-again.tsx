import { t } from '@lingui/core/macro';
import { Modal, Stack, Text } from '@mantine/core';
import { SignInForm } from '../session/sign-in-form.js';
import { SignOnButton } from '../session/sign-on-button.js';

/** The session ended while the app was open: signing in here leaves the page, and what was typed in it, as it is. */
export function SignInAgain({ email }: { email: string }) {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t`Your session has ended`}
    >
      <Text c="dimmed" size="sm" mb="md">{t`Sign in again to continue. Your unsaved input is still here.`}</Text>
      <Stack>
        <SignOnButton returnTo="/" inNewTab />
        <SignInForm email={email} />
      </Stack>
    </Modal>
  );
}
