import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { failureText, type RestoreFailure } from '../../trash/restore-text.js';
import { useRestore } from '../../trash/use-restore.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { SelectionBar } from '../../ui/selection-bar.js';
import { UserText } from '../../ui/user-text.js';
import type { DeletedItem } from './restore-button.js';

type RestoreSelectedProps = {
  /** In the order of the list: what was deleted last comes first, so that locations come before what was in them. */
  items: readonly DeletedItem[];
  onClear: () => void;
};

type Outcome = { restored: number; failures: readonly RestoreFailure[]; problem: string | null };

const shownMax = 50;

/** Restores the selected rows, and reports what could not be restored and why. */
export function RestoreSelected({ items, onClear }: RestoreSelectedProps) {
  const restore = useRestore();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const idsOf = (wanted: DeletedItem['kind']) => items.filter(({ kind }) => kind === wanted).map(({ id }) => id);

  async function act(): Promise<void> {
    setBusy(true);
    setOutcome(undefined);
    try {
      const failures = await restore({ locationIds: idsOf('location'), assetIds: idsOf('asset') });
      setOutcome({ restored: items.length - failures.length, failures, problem: null });
      onClear();
    } catch (error) {
      // What was restored before leaves the list, and the rest stays selected.
      setOutcome({ restored: 0, failures: [], problem: problemOf(error).detail });
    } finally {
      setBusy(false);
    }
  }

  if (items.length === 0 && !outcome) return null;
  return (
    <SelectionBar>
      <Stack gap="xs">
        {outcome && <Report outcome={outcome} onClose={() => setOutcome(undefined)} />}
        {items.length > 0 && (
          <Paper withBorder p="xs">
            <Group gap="sm">
              <Text size="sm" fw={550} role="status">{t`${quantity(items.length, 'item')} selected`}</Text>
              <Button
                size="xs"
                loading={isBusy}
                leftSection={<IconRestore size={16} aria-hidden />}
                onClick={() => void act()}
              >
                <Trans>Restore selected</Trans>
              </Button>
              <Button size="xs" variant="subtle" disabled={isBusy} onClick={onClear}>{t`Clear selection`}</Button>
            </Group>
          </Paper>
        )}
      </Stack>
    </SelectionBar>
  );
}

function Report({ outcome: { restored, failures, problem }, onClose }: { outcome: Outcome; onClose: () => void }) {
  const isFine = failures.length === 0 && problem === null;
  return (
    <Alert
      role={isFine ? 'status' : 'alert'}
      color={isFine ? 'green' : 'red'}
      title={
        problem ??
        (isFine ? t`${quantity(restored, 'item')} restored` : t`${quantity(failures.length, 'item')} not restored`)
      }
      withCloseButton
      closeButtonLabel={t`Close`}
      onClose={onClose}
    >
      {failures.length > 0 && (
        <Stack gap="xs" mah="40vh" style={{ overflowY: 'auto' }}>
          {restored > 0 && <Text size="sm">{t`${quantity(restored, 'item')} restored.`}</Text>}
          <List size="sm">
            {failures.slice(0, shownMax).map((failure) => (
              <List.Item key={`${failure.kind} ${failure.id}`}>
                <Trans>
                  <UserText>{failure.name ?? ''}</UserText>: <UserText>{failureText(failure)}</UserText>
                </Trans>
              </List.Item>
            ))}
          </List>
          {failures.length > shownMax && (
            <Text size="sm">
              <Trans>And {numberText(failures.length - shownMax)} more.</Trans>
            </Text>
          )}
        </Stack>
      )}
    </Alert>
  );
}
