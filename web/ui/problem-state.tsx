import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { problemOf } from '../api/errors.js';

export type ProblemStateProps = { error: unknown; onRetry?: (() => void) | undefined };

/** Shown instead of content that could not be loaded: the error, and a button to try again. */
export function ProblemState({ error, onRetry }: ProblemStateProps) {
  const { title, detail, requestId } = problemOf(error);
  return (
    <Alert role="alert" color="red" icon={<IconAlertCircle />} title={title}>
      <Text size="sm">{detail}</Text>
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          <Trans>Request {requestId}</Trans>
        </Text>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>{t`Try again`}</Button>
        </Group>
      )}
    </Alert>
  );
}

type UnansweredProps = {
  query: { error: unknown; refetch: () => unknown };
  /** The height of the placeholder, in pixels. */
  height: number;
};

/** Shown until a query has an answer: a placeholder, or why there is no answer. */
export function Unanswered({ query: { error, refetch }, height }: UnansweredProps) {
  if (error) return <ProblemState error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={height} aria-busy="true" />;
}
