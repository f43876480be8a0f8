import { Button, Group, Paper, Text } from '@mantine/core';
import { IconPencil, IconPrinter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ExportButton } from '../../exports/export-button.js';
import { useSession } from '../../session/context.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { quantity } from '../../ui/quantity.js';
import { type BulkAction, editedTogetherMax } from './use-bulk.js';

type BulkBarProps = {
  ids: readonly number[];
  isBusy: boolean;
  onAct: (action: BulkAction) => Promise<unknown>;
  onEdit: () => void;
  onClear: () => void;
};

/** Actions on the selected assets, which can be on several pages. */
export function BulkBar({ ids, isBusy, onAct, onEdit, onClear }: BulkBarProps) {
  const { can } = useSession();
  const count = quantity(ids.length, 'asset');
  return (
    <Paper withBorder p="xs" role="region" aria-label="Selected assets">
      <Group gap="xs">
        <Text fw={550} size="sm" aria-live="polite" mr="sm">
          {count} selected
        </Text>
        {can('manager') && (
          <>
            <Button
              size="xs"
              variant="default"
              disabled={isBusy || ids.length > editedTogetherMax}
              title={
                ids.length > editedTogetherMax ? `Up to ${quantity(editedTogetherMax, 'asset')} at a time` : undefined
              }
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={onEdit}
            >
              Edit
            </Button>
            <Button size="xs" variant="default" disabled={isBusy} onClick={() => void onAct({ is_active: true })}>
              Activate
            </Button>
            <Button size="xs" variant="default" disabled={isBusy} onClick={() => void onAct({ is_active: false })}>
              Deactivate
            </Button>
          </>
        )}
        <ExportButton size="xs" scope={{ kind: 'assets', ids }} total={ids.length} label="Export selected" />
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
            consequence="They are removed from all lists. Their keys and tags can be used again. The history is kept. This can't be undone."
            confirm={`Delete ${count}`}
            onConfirm={() => onAct('delete')}
          >
            Delete
          </ConfirmButton>
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  );
}
