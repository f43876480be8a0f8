import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { numberText } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { UndoButton } from '../../undo/undo-button.js';
import { bulkTexts } from './bulk-texts.js';
import type { BulkRun } from './use-bulk.js';

const shownMax = 50;

type BulkReportProps = {
  run: BulkRun;
  /** The name of an asset, if the page has it. */
  nameOf: (id: number) => string | undefined;
  onRetry: (ids: readonly number[]) => void;
  onDismiss: () => void;
};

/** Shows the progress, then the result with an undo, and the assets that failed with the reason. */
export function BulkReport({ run, nameOf, onRetry, onDismiss }: BulkReportProps) {
  if (!run.isOver) {
    const texts = bulkTexts(run.action);
    return (
      <Stack gap={4} role="status">
        <Text size="sm">{texts.doing(run.total)}</Text>
        <Progress value={(run.done / run.total) * 100} aria-label={texts.progress} />
      </Stack>
    );
  }
  return <Outcome run={run} nameOf={nameOf} onRetry={onRetry} onDismiss={onDismiss} />;
}

function Outcome({ run, nameOf, onRetry, onDismiss }: BulkReportProps) {
  const texts = bulkTexts(run.action);
  const { failures } = run;
  const missing = run.total - run.changed - run.unchanged - failures.length;
  const succeeded = [
    texts.done(run.changed),
    run.unchanged > 0 && t`${numberText(run.unchanged)} unchanged.`,
    missing > 0 && t`${numberText(missing)} deleted by someone else.`,
  ]
    .filter((text) => text !== false)
    .join(' ');
  return (
    <Alert
      role={failures.length === 0 ? 'status' : 'alert'}
      color={failures.length === 0 ? 'green' : 'red'}
      title={failures.length === 0 ? succeeded : texts.failed(failures.length)}
      withCloseButton
      closeButtonLabel={t`Close`}
      onClose={onDismiss}
    >
      <Stack gap="xs">
        {failures.length > 0 && run.changed > 0 && <Text size="sm">{succeeded}</Text>}
        {failures.length > 0 && <Failures failures={failures} nameOf={nameOf} />}
        <Group>
          {failures.length > 0 && (
            <Button size="xs" variant="default" onClick={() => onRetry(failures.map(({ id }) => id))}>
              <Trans>Try again</Trans>
            </Button>
          )}
          {run.batchIds.length > 0 && <UndoButton size="xs" what={run} onDone={onDismiss} />}
        </Group>
      </Stack>
    </Alert>
  );
}

function Failures({ failures, nameOf }: Pick<BulkRun, 'failures'> & Pick<BulkReportProps, 'nameOf'>) {
  return (
    <>
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
    </>
  );
}
