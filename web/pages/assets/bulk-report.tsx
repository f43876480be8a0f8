import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { FormProblem } from '../../api/server-form.js';
import { numberText } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { UndoRefused } from './undo-refused.js';
import { bulkTexts } from './bulk-texts.js';
import type { BulkRun } from './use-bulk.js';
import { useUndo } from './use-undo.js';

const shownMax = 50;

type BulkReportProps = {
  run: BulkRun;
  /** The name of an asset, if the page has it. */
  nameOf: (id: number) => string | undefined;
  onRetry: (ids: readonly number[]) => void;
  onDismiss: () => void;
};

/** Shows the progress, and then what was done, with an undo, and the assets that failed with the reason. */
export function BulkReport({ run, nameOf, onRetry, onDismiss }: BulkReportProps) {
  const texts = bulkTexts(run.action);
  if (!run.isOver) {
    return (
      <Stack gap={4} role="status">
        <Text size="sm">{texts.doing(run.total)}</Text>
        <Progress value={(run.done / run.total) * 100} aria-label={texts.progress} />
      </Stack>
    );
  }
  const { failures } = run;
  const missing = run.total - run.changed - run.unchanged - failures.length;
  const succeeded = [
    texts.done(run.changed),
    run.unchanged > 0 && t`${numberText(run.unchanged)} unchanged.`,
    missing > 0 && t`${numberText(missing)} deleted by someone else.`,
  ]
    .filter((text) => text !== false)
    .join(' ');
  if (failures.length === 0) return <Done text={succeeded} editIds={run.editIds} onDismiss={onDismiss} />;
  return (
    <Alert
      role="alert"
      color="red"
      title={texts.failed(failures.length)}
      withCloseButton
      closeButtonLabel={t`Close`}
      onClose={onDismiss}
    >
      <Stack gap="xs">
        {run.changed > 0 && <Text size="sm">{succeeded}</Text>}
        <List size="sm">
          {failures.slice(0, shownMax).map(({ id, detail }) => (
            <List.Item key={id}>
              <UserText>{nameOf(id) ?? t`Asset ${id}`}</UserText>: {detail}
            </List.Item>
          ))}
        </List>
        {failures.length > shownMax && (
          <Text size="sm">
            <Trans>And {numberText(failures.length - shownMax)} more.</Trans>
          </Text>
        )}
        <Group>
          <Button size="xs" variant="default" onClick={() => onRetry(failures.map(({ id }) => id))}>
            <Trans>Try again</Trans>
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

type DoneProps = { text: string; editIds: readonly string[]; onDismiss: () => void };

function Done({ text, editIds, onDismiss }: DoneProps) {
  const { isBusy, problem, refusal, undo } = useUndo();

  async function undoAll(): Promise<void> {
    if ((await undo(editIds)) === 0) onDismiss();
  }

  if (refusal) return <UndoRefused refusal={refusal} onDismiss={onDismiss} />;
  return (
    <Alert role="status" color="green" withCloseButton closeButtonLabel={t`Close`} onClose={onDismiss} title={text}>
      {editIds.length > 0 && (
        <Stack gap="xs">
          <FormProblem problem={problem} />
          <Group>
            <Button size="xs" variant="default" loading={isBusy} onClick={() => void undoAll()}>{t`Undo`}</Button>
          </Group>
        </Stack>
      )}
    </Alert>
  );
}
