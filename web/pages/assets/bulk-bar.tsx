import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Text } from '@mantine/core';
import { IconPencil, IconPrinter } from '@tabler/icons-react';
import { PutInButton } from '../../containers/put-in-button.js';
import { ExportButton } from '../../exports/export-button.js';
import { useSession } from '../../session/context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ButtonLink } from '../../ui/links.js';
import { quantity } from '../../ui/quantity.js';
import { SetLocations } from './set-locations.js';
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
    <Paper withBorder p="xs" role="region" aria-label={t`Selected assets`}>
      <Group gap="xs">
        <Text fw={550} size="sm" aria-live="polite" mr="sm">
          <Trans>{count} selected</Trans>
        </Text>
        {can('operator') && (
          <>
            <SetLocations ids={ids} isBusy={isBusy} />
            <PutInButton ids={ids} isBusy={isBusy} />
          </>
        )}
        {can('manager') && (
          <>
            <Button
              size="xs"
              variant="default"
              disabled={isBusy || ids.length > editedTogetherMax}
              title={
                ids.length > editedTogetherMax ? t`Up to ${quantity(editedTogetherMax, 'asset')} at a time` : undefined
              }
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={onEdit}
            >
              <Trans>Edit</Trans>
            </Button>
            <Button size="xs" variant="default" disabled={isBusy} onClick={() => void onAct({ is_active: true })}>
              <Trans>Activate</Trans>
            </Button>
            <Button size="xs" variant="default" disabled={isBusy} onClick={() => void onAct({ is_active: false })}>
              <Trans>Deactivate</Trans>
            </Button>
          </>
        )}
        <ExportButton size="xs" scope={{ kind: 'assets', ids }} total={ids.length} label={t`Export selected`} />
        <ButtonLink
          size="xs"
          variant="default"
          to="/labels"
          search={{ ids: ids.join(',') }}
          leftSection={<IconPrinter size={16} aria-hidden />}
        >
          <Trans>Print labels</Trans>
        </ButtonLink>
        {can('manager') && (
          <ActionButton size="xs" disabled={isBusy} onAct={() => onAct('delete')}>{t`Delete`}</ActionButton>
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>{t`Clear selection`}</Button>
      </Group>
    </Paper>
  );
}
