import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, type ButtonProps, Group, List, Modal, Stack, Text } from '@mantine/core';
import { FormProblem } from '../api/server-form.js';
import { fieldName } from '../activity/words.js';
import { failureText } from '../trash/restore-text.js';
import { AnchorLink } from '../ui/links.js';
import { numberText, quantity } from '../ui/quantity.js';
import { UserText } from '../ui/user-text.js';
import { type LeftChange, type Undoable, useUndo } from './use-undo.js';

type UndoButtonProps = Pick<ButtonProps, 'size'> & {
  what: Undoable;
  label?: string;
  /** Whether it can be undone; the result of an undo is shown also afterwards. */
  isOffered?: boolean;
  /** Called once it is undone, and what was not undone has been read. */
  onDone?: () => void;
};

/** Undoes changes at once, and then shows which were not undone, and why. Fields that were changed again can be overwritten. */
export function UndoButton({ what, size = 'sm', label = t`Undo`, isOffered = true, onDone }: UndoButtonProps) {
  const { progress, problem, left, undo, dismiss } = useUndo();
  const isBusy = progress !== undefined;

  async function act(which: Undoable, overwrite = false): Promise<void> {
    const { isWhole } = await undo(which, overwrite);
    if (isWhole) onDone?.();
  }

  function close(): void {
    dismiss();
    if (left.length > 0) onDone?.();
  }

  const title = left.length > 0 ? t`${quantity(left.length, 'change')} not undone` : t`Not undone`;
  return (
    <>
      {isOffered && (
        <Group gap="xs">
          <Button variant="default" size={size} loading={isBusy} onClick={() => void act(what)}>
            {label}
          </Button>
          {progress !== undefined && progress > 0 && (
            <Text size="sm" c="dimmed" aria-live="polite">
              <Trans>{numberText(progress)} undone so far</Trans>
            </Text>
          )}
        </Group>
      )}
      <Modal opened={left.length > 0 || problem !== undefined} onClose={close} title={title}>
        <Stack>
          <FormProblem problem={problem ?? null} />
          <LeftChanges left={left} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t`Close`}</Button>
            <OverwriteButton left={left} isBusy={isBusy} onOverwrite={(which) => void act(which, true)} />
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

const shownMax = 50;

function LeftChanges({ left }: { left: readonly LeftChange[] }) {
  return (
    <>
      <List size="sm">
        {left.slice(0, shownMax).map((change) => (
          <List.Item key={change.entry.id}>
            <ItemLink change={change} />: {reasonOf(change)}
          </List.Item>
        ))}
      </List>
      {left.length > shownMax && (
        <Text size="sm">
          <Trans>And {numberText(left.length - shownMax)} more.</Trans>
        </Text>
      )}
    </>
  );
}

function reasonOf(change: LeftChange): string {
  if (change.status === 'failed') return failureText(change);
  return t`changed again since then (${change.fields.map(fieldName).join(', ')})`;
}

/** A link to the page of the asset or location; a deleted one has none. */
function ItemLink({ change }: { change: LeftChange }) {
  const text = <UserText>{change.name}</UserText>;
  const isLive = change.status === 'changed_since' || change.reason === 'in_use' || change.reason === 'kind_deleted';
  if (!isLive) return text;
  return change.kind === 'asset' ? (
    <AnchorLink to="/assets/$assetId" params={{ assetId: String(change.id) }}>
      {text}
    </AnchorLink>
  ) : (
    <AnchorLink to="/locations/$locationId" params={{ locationId: String(change.id) }}>
      {text}
    </AnchorLink>
  );
}

type OverwriteButtonProps = { left: readonly LeftChange[]; isBusy: boolean; onOverwrite: (what: Undoable) => void };

function OverwriteButton({ left, isBusy, onOverwrite }: OverwriteButtonProps) {
  const asked = left.filter(({ status }) => status === 'changed_since');
  if (asked.length === 0) return null;
  return (
    <Button
      loading={isBusy}
      onClick={() => onOverwrite({ entries: asked.map(({ entry }) => entry) })}
    >{t`Undo anyway`}</Button>
  );
}
