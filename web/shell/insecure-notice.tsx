import { t } from '@lingui/core/macro';
import { Alert, Text } from '@mantine/core';
import { IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';

const storageKey = 'whereabouts-insecure-notice';

/** Says once on each device what browsers do not offer over plain HTTP. */
export function InsecureNotice() {
  const [isShown, setShown] = useState(() => localStorage.getItem(storageKey) === null);
  if (!isShown) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconLockOpen aria-hidden />}
      title={t`This address is not encrypted`}
      mb="md"
      withCloseButton
      closeButtonLabel={t`Dismiss`}
      onClose={() => {
        localStorage.setItem(storageKey, 'dismissed');
        setShown(false);
      }}
    >
      <Text size="sm">
        {t`Without HTTPS, browsers do not offer the camera for scanning, pages without a network, and notifications on this device. Everything else works. Ask your administrator for an https:// address.`}
      </Text>
    </Alert>
  );
}
