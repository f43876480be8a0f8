import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '../api/trpc.js';
import { rejectionText } from './rejection-text.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import type { ReaderDetail } from './formats.js';
import { RecognizedFormat } from './recognized-format.js';

const refetchMs = 1000;
/** A message is rejected when it is received. The two recorded instants can differ by this time. */
const sameMomentMs = 1500;

type LiveLightProps = { readerId: number; onFirstMessage?: () => void };

/**
 * Follows a reader that is being set up: turns green at its first read, and shows what is missing or wrong until then.
 */
export function LiveLight({ readerId, onFirstMessage }: LiveLightProps) {
  const trpc = useTRPC();
  const reader = useQuery(trpc.readers.get.queryOptions({ id: readerId }, { refetchInterval: refetchMs }));
  const rejected = useQuery(
    trpc.scans.rejectedMessages.queryOptions({ reader_id: readerId, limit: 1 }, { refetchInterval: refetchMs }),
  );
  const last = rejected.data?.data[0];
  const hasMessage = reader.data ? reader.data.last_message_at !== null : false;
  useEffect(() => {
    if (hasMessage) onFirstMessage?.();
  }, [hasMessage, onFirstMessage]);
  return (
    <div role="status" aria-live="polite">
      {reader.data ? <Light reader={reader.data} lastRejection={last} /> : <Waiting>{t`Loading…`}</Waiting>}
    </div>
  );
}

type Rejection = { reason: string; received_at: string };

function Light({ reader, lastRejection }: { reader: ReaderDetail; lastRejection: Rejection | undefined }) {
  const { status, last_message_at: lastMessageAt } = reader;
  if (lastRejection && isOfLastMessage(reader, lastRejection)) {
    return (
      <Alert color="orange" icon={<IconAlertTriangle />} title={t`Connected, but its messages are not recognized`}>
        <UserText>{rejectionText(lastRejection.reason)}</UserText>
        <RecognizedFormat reader={reader} />
      </Alert>
    );
  }
  if (status === 'receiving') {
    return (
      <Alert color="green" icon={<IconCircleCheck />} title={t`Receiving`}>
        <Trans>
          Last message <When at={lastMessageAt} />.
        </Trans>
      </Alert>
    );
  }
  if (status === 'refused') {
    return (
      <Alert color="orange" icon={<IconAlertTriangle />} title={t`Login refused`}>
        <UserText>{reader.last_refusal_reason ?? t`wrong user name or password`}</UserText>,{' '}
        <When at={reader.last_refused_at} />.
      </Alert>
    );
  }
  if (status === 'connected') {
    return (
      <Alert color="blue" icon={<IconPlugConnected />} title={t`Connected`}>
        {lastMessageAt === null
          ? t`Waiting for its first message.`
          : t`It sends messages, but no reads. Hold a tag in front of it.`}
      </Alert>
    );
  }
  return <Waiting>{t`Waiting for the reader to connect…`}</Waiting>;
}

function isOfLastMessage({ status, reads_per_minute, last_message_at }: ReaderDetail, last: Rejection): boolean {
  if (status === 'rejecting') return true;
  const lastMessageMs = last_message_at === null ? 0 : Date.parse(last_message_at);
  return (
    status === 'receiving' && reads_per_minute === 0 && Date.parse(last.received_at) >= lastMessageMs - sameMomentMs
  );
}

function Waiting({ children }: { children: string }) {
  return (
    <Alert color="gray">
      <Group gap="sm">
        <Loader size={16} color="gray" />
        <Text size="sm">{children}</Text>
      </Group>
    </Alert>
  );
}
