import { t } from '@lingui/core/macro';
import { Modal, Stack, Text } from '@mantine/core';
import { SignInForm } from '../session/sign-in-form.js';
import { SignOnButton } from '../session/sign-on-button.js';

/** Shown if the session ended while the app was open. Signing in here keeps the page and the input in it. */
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
