import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { AlertStatus } from '../../alerts/alert-status.js';
import { type AlertItem, alertText } from '../../alerts/words.js';
import type { Column } from '../../ui/data-table.js';
import { AnchorLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import classes from './alert-columns.module.css';

type Acknowledge = ((id: number) => void) | undefined;

/**
 * Returns the columns of alerts, with a button to acknowledge if the role allows it. Narrow screens show one column.
 */
export function alertColumns(onAcknowledge: Acknowledge): Column<AlertItem>[] {
  return [
    {
      id: 'alert',
      header: t`Alert`,
      cell: (row) => (
        <>
          <AnchorLink to="/alerts/$alertId" params={{ alertId: String(row.id) }} fw={550}>
            <UserText>{alertText(row)}</UserText>
          </AnchorLink>
          <Text size="xs" c="dimmed" component="div">
            <When at={row.opened_at} /> · <UserText>{row.rule.name}</UserText>
          </Text>
          <div className={classes['narrow']}>
            <StatusCell alert={row} onAcknowledge={onAcknowledge} />
          </div>
        </>
      ),
    },
    {
      id: 'status',
      header: t`Status`,
      width: '14rem',
      hideBelow: 'sm',
      cell: (row) => <StatusCell alert={row} onAcknowledge={onAcknowledge} />,
    },
  ];
}

function StatusCell({ alert, onAcknowledge }: { alert: AlertItem; onAcknowledge: Acknowledge }) {
  return (
    <Group gap="xs">
      <AlertStatus alert={alert} />
      {alert.is_open && onAcknowledge && (
        <Button
          size="xs"
          variant="default"
          aria-label={t`Acknowledge: ${alertText(alert)}`}
          onClick={() => onAcknowledge(alert.id)}
        >
          <Trans>Acknowledge</Trans>
        </Button>
      )}
    </Group>
  );
}
