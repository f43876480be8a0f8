import { t } from '@lingui/core/macro';
import { Modal, Text } from '@mantine/core';
import { SignInForm } from '../session/sign-in-form.js';

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
      <SignInForm email={email} />
    </Modal>
  );
}
