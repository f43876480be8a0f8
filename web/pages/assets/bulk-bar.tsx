import { Button, Group, Paper, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ExportButton } from '../../exports/export-button.js';
import { useSession } from '../../session/context.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { quantity } from '../../ui/quantity.js';
import type { BulkAction } from './use-bulk.js';

type BulkBarProps = {
  ids: readonly number[];
  isBusy: boolean;
  onAct: (action: BulkAction) => Promise<unknown>;
  onClear: () => void;
};

/** What can be done with the chosen assets, which may be on several pages. */
export function BulkBar({ ids, isBusy, onAct, onClear }: BulkBarProps) {
  const { can } = useSession();
  const count = quantity(ids.length, 'asset');
  return (
    <Paper withBorder p="xs" role="region" aria-label="Chosen assets">
      <Group gap="xs">
        <Text fw={550} size="sm" aria-live="polite" mr="sm">
          {count} chosen
        </Text>
        {can('manager') && (
          <>
            <Button size="xs" variant="default" disabled={isBusy} onClick={() => void onAct('activate')}>
              Activate
            </Button>
            <Button size="xs" variant="default" disabled={isBusy} onClick={() => void onAct('deactivate')}>
              Deactivate
            </Button>
          </>
        )}
        <ExportButton size="xs" scope={{ kind: 'assets', ids }} total={ids.length} label="Export these" />
        <Button
          size="xs"
          variant="default"
          component={Link}
          {...({ to: '/labels', search: { ids: ids.join(',') } } as object)}
          leftSection={<IconPrinter size={16} aria-hidden />}
        >
          Print labels
        </Button>
        {can('manager') && (
          <ConfirmButton
            size="xs"
            disabled={isBusy}
            question={`Delete ${count}?`}
            consequence={`${ids.length === 1 ? 'It leaves' : 'They leave'} every list, and the keys and tags are free again. Where ${
              ids.length === 1 ? 'it was' : 'they were'
            } stays in the history. This cannot be taken back.`}
            confirm={`Delete ${count}`}
            onConfirm={() => onAct('delete')}
          >
            Delete
          </ConfirmButton>
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Choose none
        </Button>
      </Group>
    </Paper>
  );
}
