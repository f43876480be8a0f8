import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import type { BulkAction, BulkRun } from './use-bulk.js';

const verbs: Record<BulkAction, { doing: string; done: string }> = {
  activate: { doing: 'Activating', done: 'activated' },
  deactivate: { doing: 'Deactivating', done: 'deactivated' },
  delete: { doing: 'Deleting', done: 'deleted' },
};

const shownMax = 50;

type BulkReportProps = {
  run: BulkRun;
  /** What an asset is called, as long as the page knows. */
  nameOf: (id: number) => string | undefined;
  onRetry: (ids: readonly number[]) => void;
  onDismiss: () => void;
};

/** Shows the progress, and then the assets that failed with the reason. */
export function BulkReport({ run, nameOf, onRetry, onDismiss }: BulkReportProps) {
  const { doing, done } = verbs[run.action];
  if (!run.isOver) {
    return (
      <Stack gap={4} role="status">
        <Text size="sm">
          {doing} {quantity(run.total, 'asset')} …
        </Text>
        <Progress value={(run.done / run.total) * 100} aria-label={`${doing} assets`} />
      </Stack>
    );
  }
  const { failures } = run;
  const succeeded = `${quantity(run.total - failures.length, 'asset')} ${done}.`;
  if (failures.length === 0) {
    return (
      <Alert
        role="status"
        color="green"
        title={succeeded}
        withCloseButton
        closeButtonLabel="Close"
        onClose={onDismiss}
      />
    );
  }
  return (
    <Alert
      role="alert"
      color="red"
      title={`${quantity(failures.length, 'asset')} could not be ${done}`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onDismiss}
    >
      <Stack gap="xs">
        {run.total > failures.length && <Text size="sm">{succeeded}</Text>}
        <List size="sm">
          {failures.slice(0, shownMax).map(({ id, detail }) => (
            <List.Item key={id}>
              <UserText>{nameOf(id) ?? `Asset ${id}`}</UserText>: {detail}
            </List.Item>
          ))}
        </List>
        {failures.length > shownMax && (
          <Text size="sm">And {quantity(failures.length - shownMax, 'more', 'more')}.</Text>
        )}
        <Group>
          <Button size="xs" variant="default" onClick={() => onRetry(failures.map(({ id }) => id))}>
            Try again
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
