import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { IconMailQuestion } from '@tabler/icons-react';
import { useSession } from '../session/context.js';
import { AnchorLink } from '../ui/links.js';
import { UserText } from '../ui/user-text.js';

/** Asks the person to confirm their address, because emails to it wait. */
export function UnconfirmedAddress() {
  const { user } = useSession();
  return (
    <Alert color="yellow" icon={<IconMailQuestion />} title={t`Confirm your address`}>
      <Trans>
        Alerts and reports wait until you confirm that <UserText>{user.email}</UserText> is yours.
      </Trans>{' '}
      <AnchorLink to="/account">{t`Open account`}</AnchorLink>
    </Alert>
  );
}
