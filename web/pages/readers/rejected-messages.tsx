import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { Pager } from '../../ui/pager.js';
import { ProblemState } from '../../ui/problem-state.js';
import { rejectionText } from '../../readers/rejection-text.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { payloadText } from './payload-text.js';
import type { MapFrom } from './mapping-sample.js';
import classes from './readers.module.css';

type Rejected = Outputs['scans']['rejectedMessages']['data'][number];

const limit = 25;
const refetchMs = 5000;

type RejectedMessagesProps = {
  readerId: number;
  /** Starts a field mapping from a message. */
  onMap: (from: MapFrom) => void;
};

/** The reader's rejected messages, latest first, each with the reason and its bytes. */
export function RejectedMessages({ readerId, onMap }: RejectedMessagesProps) {
  const trpc = useTRPC();
  const [offset, setOffset] = useState(0);
  const found = useQuery(
    trpc.scans.rejectedMessages.queryOptions(
      { reader_id: readerId, limit, offset },
      { placeholderData: keepPreviousData, refetchInterval: refetchMs },
    ),
  );
  if (found.isError && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return null;
  if (found.data.total_count === 0) {
    return (
      <Text c="dimmed" size="sm">
        <Trans>None. Messages that don’t match the reader’s format are kept here for 7 days.</Trans>
      </Text>
    );
  }
  return (
    <Stack>
      <Accordion variant="contained" chevronPosition="left">
        {found.data.data.map((message) => (
          <Message key={message.id} message={message} onMap={onMap} />
        ))}
      </Accordion>
      <Pager limit={limit} offset={offset} total={found.data.total_count} unit="message" onPage={setOffset} />
    </Stack>
  );
}

type MessageProps = { message: Rejected; onMap: (from: MapFrom) => void };

function Message({ message, onMap }: MessageProps) {
  return (
    <Accordion.Item value={String(message.id)}>
      <Accordion.Control>
        <Group justify="space-between" gap="xs">
          <Text size="sm" component="span">
            <UserText>{rejectionText(message.reason)}</UserText>
          </Text>
          <Text size="xs" c="dimmed" component="span">
            <When at={message.received_at} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Payload message={message} onMap={onMap} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Payload({ message, onMap }: MessageProps) {
  const { text, kind } = payloadText(message);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge color="gray">{kind}</Badge>
        <Text size="sm" component="span">
          <Trans>
            <Text span c="dimmed" size="sm">
              on topic{' '}
            </Text>
            <UserText>{message.topic === '' ? t`none` : message.topic}</UserText>
          </Trans>
        </Text>
      </Group>
      <pre className={classes['payload']} tabIndex={0} aria-label={t`Payload`} dir="auto">
        {text}
      </pre>
      {kind !== 'bytes' && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => onMap({ payload: message.payload, topic: message.topic })}
          >{t`Create mapping`}</Button>
        </Group>
      )}
    </Stack>
  );
}
