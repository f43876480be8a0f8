import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
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
