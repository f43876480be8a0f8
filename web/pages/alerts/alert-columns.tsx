import { Button, Group, Text } from '@mantine/core';
import { AlertStatus } from '../../alerts/alert-status.js';
import { type AlertItem, alertText } from '../../alerts/words.js';
import type { ColumnDef } from '../../ui/data-table.js';
import { AnchorLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

/** The columns of alerts, with a button to acknowledge for those who may. */
export function alertColumns(onAcknowledge: ((id: number) => void) | undefined): ColumnDef<AlertItem>[] {
  return [
    {
      id: 'alert',
      header: 'Alert',
      cell: ({ row: { original } }) => (
        <>
          <AnchorLink to="/alerts/$alertId" params={{ alertId: String(original.id) }} fw={550}>
            <UserText>{alertText(original)}</UserText>
          </AnchorLink>
          <Text size="xs" c="dimmed" component="div">
            <When at={original.opened_at} /> · <UserText>{original.rule.name}</UserText>
          </Text>
        </>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      meta: { width: '14rem' },
      cell: ({ row: { original } }) => (
        <Group gap="xs">
          <AlertStatus alert={original} />
          {original.is_open && onAcknowledge && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Acknowledge: ${alertText(original)}`}
              onClick={() => onAcknowledge(original.id)}
            >
              Acknowledge
            </Button>
          )}
        </Group>
      ),
    },
  ];
}
