import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { useSession } from '../../session/context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ButtonLink } from '../../ui/links.js';
import { BackLink, Page } from '../../ui/page.js';
import { ConnectionPanel } from '../../readers/connection-panel.js';
import { LiveLight } from '../../readers/live-light.js';
import { ReaderFields } from './reader-fields.js';
import { type ReaderValues, settingsOf, useReaderForm } from './reader-form.js';

type Registered = Outputs['readers']['create'];

const back = <BackLink to="/readers">{t`Readers`}</BackLink>;

/** Registers a reader, then shows the values to enter in it, and whether a message has been received. */
export function NewReaderPage() {
  const [registered, setRegistered] = useState<Registered>();
  const { can } = useSession();
  if (!can('admin')) {
    return (
      <Page title={t`Add reader`} back={back}>
        <EmptyState icon={IconLock} title={t`Administrators only`}>
          <Trans>Ask an administrator to add a reader.</Trans>
        </EmptyState>
      </Page>
    );
  }
  if (registered) return <RegisteredReader reader={registered} onAnother={() => setRegistered(undefined)} />;
  return (
    <Page title={t`Add reader`} back={back} width="narrow">
      <Registration onRegistered={setRegistered} />
    </Page>
  );
}

function Registration({ onRegistered }: { onRegistered: (reader: Registered) => void }) {
  const { trpc, api, refresh } = useServer();
  const form = useReaderForm({ send: create });
  const guard = useLeaveGuard(form.isDirty());

  async function create(values: ReaderValues): Promise<void> {
    const reader = await api.readers.create.mutate(settingsOf(values));
    guard.release();
    void refresh(trpc.readers);
    onRegistered(reader);
  }

  return (
    <form noValidate onSubmit={form.send}>
      <Stack>
        <ReaderFields form={form} />
        {guard.question}
        <FormProblem problem={form.problem} />
        <Group justify="flex-end">
          <ButtonLink to="/readers" variant="default">{t`Cancel`}</ButtonLink>
          <Button type="submit" loading={form.submitting}>{t`Add reader`}</Button>
        </Group>
      </Stack>
    </form>
  );
}

function RegisteredReader({ reader, onAnother }: { reader: Registered; onAnother: () => void }) {
  return (
    <Page
      title={t`${reader.name} added`}
      description={t`Enter these in the reader’s MQTT settings. The light turns green when the first read arrives.`}
      back={back}
      width="narrow"
    >
      <LiveLight readerId={reader.id} />
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2} size="h4">{t`Connection settings`}</Title>
          <ConnectionPanel reader={reader} password={reader.mqtt_password} />
        </Stack>
      </Paper>
      <Group justify="flex-end">
        <Button variant="default" onClick={onAnother}>{t`Add another`}</Button>
        <ButtonLink to="/readers/$readerId" params={{ readerId: String(reader.id) }}>{t`Open reader`}</ButtonLink>
      </Group>
    </Page>
  );
}
