import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { IconMailQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';
import { useSession } from '../session/context.js';
import { AnchorLink } from '../ui/links.js';
import { UserText } from '../ui/user-text.js';

const select = ({ mail_waits: waits }: { mail_waits: boolean }) => waits;

/** Asks the person to confirm their address while emails to it wait; renders nothing otherwise. */
export function UnconfirmedAddress() {
  const trpc = useTRPC();
  const { user } = useSession();
  const waits = useQuery(trpc.session.me.queryOptions(undefined, { select }));
  if (!waits.data) return null;
  return (
    <Alert color="yellow" icon={<IconMailQuestion />} title={t`Confirm your address`}>
      <Trans>
        Alerts and reports wait until you confirm that <UserText>{user.email}</UserText> is yours.
      </Trans>{' '}
      <AnchorLink to="/account">{t`Open account`}</AnchorLink>
    </Alert>
  );
}
