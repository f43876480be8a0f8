import { quantity } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconCloudOff, IconCloudUpload } from '@tabler/icons-react';
import { type Batch, isScanBatch } from '../../scanning/batch.js';
import type { QueueSnapshot, ScanQueue } from '../../scanning/scan-queue.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

export type QueuePanelProps = { queue: ScanQueue; snapshot: QueueSnapshot; isOnline: boolean };

/** Batches that are being sent, and batches that the service rejected. */
export function QueuePanel({ queue, snapshot, isOnline }: QueuePanelProps) {
  const { waiting, refused, open } = snapshot;
  const isBusy = (open?.reads.length ?? 0) > 0;
  return (
    <>
      {refused.map((batch) => (
        <Refused key={batch.id} batch={batch} queue={queue} isBusy={isBusy} />
      ))}
      {waiting.length > 0 && (
        <Paper withBorder p="md" component="section" aria-labelledby="waiting">
          <Stack gap="xs">
            <Group gap="xs">
              {isOnline ? <IconCloudUpload size={20} aria-hidden /> : <IconCloudOff size={20} aria-hidden />}
              <Title order={2} size="h4" id="waiting">
                <Trans>{waiting.length} waiting to be sent</Trans>
              </Title>
            </Group>
            <Text size="sm" c="dimmed">
              {isOnline
                ? t`They are sent as soon as the server responds. You can keep scanning.`
                : t`You are offline. Everything is stored on this device and sent when you are back online. You can keep scanning.`}
            </Text>
            {waiting.map((batch) => (
              <Group key={batch.id} justify="space-between" wrap="nowrap">
                <Summary batch={batch} />
                {!batch.maybeStored && (
                  <Button
                    variant="default"
                    size="sm"
                    disabled={isBusy && isScanBatch(batch)}
                    title={isBusy && isScanBatch(batch) ? busyWords : undefined}
                    onClick={() => void (isScanBatch(batch) ? queue.reopen(batch.id) : queue.discard(batch.id))}
                  >
                    <Trans>Undo</Trans>
                  </Button>
                )}
              </Group>
            ))}
            {isOnline && (
              <Group>
                <Button variant="default" size="sm" loading={snapshot.isSending} onClick={() => queue.send()}>
                  <Trans>Send now</Trans>
                </Button>
              </Group>
            )}
          </Stack>
        </Paper>
      )}
    </>
  );
}

const busyWords = t`Send or clear what you are scanning first`;

function Summary({ batch }: { batch: Batch }) {
  const [item] = batch.reads;
  if (!isScanBatch(batch)) {
    return (
      <Text size="sm" component="div" style={{ minWidth: 0 }}>
        <UserText>{item && 'name' in item ? item.name : ''}</UserText> · <UserText>{batch.report.text}</UserText> ·{' '}
        <When at={batch.observedAt} />
      </Text>
    );
  }
  return (
    <Text size="sm" component="div" style={{ minWidth: 0 }}>
      <UserText>{batch.place.name}</UserText> · {quantity(batch.reads.length, 'scan')} · <When at={batch.observedAt} />
    </Text>
  );
}

function Refused({ batch, queue, isBusy }: { batch: Batch; queue: ScanQueue; isBusy: boolean }) {
  if (batch.state !== 'refused') return null;
  return (
    <Alert role="alert" color="red" icon={<IconAlertCircle />} title={t`Could not be sent`}>
      <Stack gap="xs">
        <Text size="sm" component="div">
          <UserText>{batch.problem}</UserText>
        </Text>
        <Summary batch={batch} />
        <Group gap="xs">
          {!batch.maybeStored && isScanBatch(batch) && (
            <Button
              variant="default"
              size="sm"
              disabled={isBusy}
              title={isBusy ? busyWords : undefined}
              onClick={() => void queue.reopen(batch.id)}
            >
              <Trans>Change</Trans>
            </Button>
          )}
          <Button variant="default" size="sm" onClick={() => void queue.retry(batch.id)}>{t`Send again`}</Button>
          <ConfirmButton
            size="sm"
            question={isScanBatch(batch) ? t`Discard these scans?` : t`Discard this report?`}
            consequence={
              isScanBatch(batch)
                ? t`${quantity(batch.reads.length, 'scan')} will be deleted from this device.`
                : t`The report will be deleted from this device.`
            }
            confirm={isScanBatch(batch) ? t`Discard scans` : t`Discard report`}
            onConfirm={() => queue.discard(batch.id)}
          >
            <Trans>Discard</Trans>
          </ConfirmButton>
        </Group>
      </Stack>
    </Alert>
  );
}
