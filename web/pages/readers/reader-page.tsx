import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Grid, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ObjectActivity } from '../../activity/object-activity.js';
import { useTRPC } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { ButtonLink } from '../../ui/links.js';
import { EmptyState } from '../../ui/empty-state.js';
import { BackLink, Page } from '../../ui/page.js';
import { isMissing } from '../../ui/missing-page.js';
import { ProblemState } from '../../ui/problem-state.js';
import { durationText } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { ActivityChart } from './activity-chart.js';
import type { ReaderDetail } from '../../readers/formats.js';
import { DeleteReader, RotateSecret } from './reader-actions.js';
import type { MapFrom } from './mapping-sample.js';
import { ReaderSettings } from './reader-settings.js';
import { ReaderNotes } from './reader-notes.js';
import { StatusLight } from './reader-status.js';
import { RecognizedFormat } from '../../readers/recognized-format.js';
import { RejectedMessages } from './rejected-messages.js';
import { IconAntennaOff, IconLock } from '@tabler/icons-react';

const refetchMs = 3000;
const back = <BackLink to="/readers">{t`Readers`}</BackLink>;

/** One reader: its status, what it sent, and all its settings. */
export function ReaderPage() {
  const { can } = useSession();
  const { readerId } = useParams({ from: '/app/readers/$readerId' });
  if (!can('admin')) {
    return (
      <Page title={t`Reader`} back={back}>
        <EmptyState icon={IconLock} title={t`Administrators only`}>
          <Trans>Administrators manage readers. See the list for status.</Trans>
        </EmptyState>
      </Page>
    );
  }
  const id = Number(readerId);
  return Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? <OneReader key={id} readerId={id} /> : <NoReader />;
}

function NoReader() {
  return (
    <Page title={t`Reader not found`} back={back}>
      <EmptyState
        icon={IconAntennaOff}
        title={t`Reader not found`}
        action={<ButtonLink to="/readers">{t`Back to readers`}</ButtonLink>}
      >
        <Trans>It may have been deleted, or it belongs to another organization.</Trans>
      </EmptyState>
    </Page>
  );
}

function OneReader({ readerId }: { readerId: number }) {
  const trpc = useTRPC();
  const reader = useQuery(trpc.readers.get.queryOptions({ id: readerId }, { refetchInterval: refetchMs }));
  if (reader.isError && isMissing(reader.error)) return <NoReader />;
  if (!reader.data) {
    return (
      <Page title={t`Reader`} back={back}>
        {reader.isError ? (
          <ProblemState error={reader.error} onRetry={() => void reader.refetch()} />
        ) : (
          <Skeleton height={320} radius="md" />
        )}
      </Page>
    );
  }
  return <Reader reader={reader.data} />;
}

function Reader({ reader }: { reader: ReaderDetail }) {
  const [mapFrom, setMapFrom] = useState<MapFrom>();
  return (
    <Page title={reader.name} isName back={back} description={<StatusLine reader={reader} />}>
      {reader.recognized_format && (
        <Alert color="orange" icon={<IconAlertTriangle />} title={t`Messages are in a different format`}>
          <RecognizedFormat reader={reader} />
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Section title={t`Settings`}>
              <ReaderSettings reader={reader} mapFrom={mapFrom} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <Section title={t`Last hour`}>
              <ActivityChart reads={reader.reads_by_minute} rejected={reader.rejected_by_minute} />
            </Section>
            <Section title={t`Messages without reads`}>
              <ReaderNotes reader={reader} onMap={setMapFrom} />
            </Section>
            <Section title={t`Rejected messages`}>
              <RejectedMessages readerId={reader.id} onMap={setMapFrom} />
            </Section>
            <Section title={t`Changes`}>
              <ObjectActivity kind="reader" objectId={reader.id} version={reader.updated_at} />
            </Section>
            <Section title={t`Credentials`}>
              <RotateSecret reader={reader} />
            </Section>
            <Section title={t`Delete`}>
              <DeleteReader reader={reader} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function StatusLine({ reader }: { reader: ReaderDetail }) {
  return (
    <Stack gap={4} align="flex-start">
      <StatusLight status={reader.status} />
      <Text size="sm">
        <Trans>
          Last message <When at={reader.last_message_at} />
        </Trans>
        {reader.last_connected_at && (
          <>
            <Trans>
              , connected <When at={reader.last_connected_at} />
            </Trans>
          </>
        )}
        {reader.status !== 'refused' && '.'}
      </Text>
      <ClockOffset reader={reader} />
      {reader.ignored_24h > 0 && (
        <Text size="sm">
          <Trans>
            {numberText(reader.ignored_24h)} reads of private Bluetooth addresses ignored in the last 24 hours.
          </Trans>
        </Text>
      )}
      {reader.last_refused_at && (
        <Text size="sm">
          <Trans>
            Login refused <When at={reader.last_refused_at} />: <UserText>{reader.last_refusal_reason ?? ''}</UserText>
          </Trans>
        </Text>
      )}
    </Stack>
  );
}

/** Shows how far the reader's clock is off; renders nothing if it is right. */
function ClockOffset({
  reader: { clock_offset_ms: offsetMs, use_receipt_time: isReceiptTime },
}: {
  reader: ReaderDetail;
}) {
  if (offsetMs === 0) return null;
  const size = Math.abs(offsetMs) < 1000 ? t`less than 1 s` : durationText(Math.abs(offsetMs));
  return <Text size="sm">{clockText({ size, isSlow: offsetMs > 0, isReceiptTime })}</Text>;
}

function clockText({ size, isSlow, isReceiptTime }: { size: string; isSlow: boolean; isReceiptTime: boolean }): string {
  if (isReceiptTime) {
    return isSlow
      ? t`Clock is ${size} slow; the time of receipt is used.`
      : t`Clock is ${size} fast; the time of receipt is used.`;
  }
  return isSlow
    ? t`Clock is ${size} slow; times are corrected automatically.`
    : t`Clock is ${size} fast; times are corrected automatically.`;
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section">
      <Stack>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
