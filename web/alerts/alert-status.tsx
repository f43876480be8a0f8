import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import type { AlertItem } from './words.js';

/** Shows whether an alert is open, and if not, what closed it. */
export function AlertStatus({ alert }: { alert: AlertItem }) {
  const { acknowledged_at: acknowledgedAt, acknowledged_by: by, ended_at: endedAt } = alert;
  if (alert.is_open) return <Badge color="red">{t`Open`}</Badge>;
  return (
    <>
      {acknowledgedAt !== null && (
        <Text size="sm" component="div">
          <Trans>
            Acknowledged <When at={acknowledgedAt} /> by <UserText>{by?.name ?? t`a former member`}</UserText>
          </Trans>
        </Text>
      )}
      {endedAt !== null && (
        <Text size="sm" component="div">
          <Trans>
            Ended <When at={endedAt} />
          </Trans>
        </Text>
      )}
    </>
  );
}
