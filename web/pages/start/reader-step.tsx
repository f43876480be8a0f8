import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { ConnectionPanel } from '../../readers/connection-panel.js';
import { LiveLight } from '../../readers/live-light.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ProblemState } from '../../ui/problem-state.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { UserText } from '../../ui/user-text.js';
import { SkipButton } from './skip-button.js';
import type { StepProps } from './step-props.js';

/** The organization's first reader, and its password as long as it is known. */
export function ReaderStep({ onNext }: StepProps) {
  const trpc = useTRPC();
  const readers = useQuery(trpc.readers.list.queryOptions({ limit: 1 }));
  const [password, setPassword] = useState<string | null>(null);
  if (readers.error) return <ProblemState error={readers.error} onRetry={() => void readers.refetch()} />;
  if (!readers.data) return null;
  const [reader] = readers.data.data;
  if (!reader) return <RegisterForm onRegistered={setPassword} onSkip={onNext} />;
  return (
    <Stack>
      <Text component="div">
        <Trans>
          Enter these in the MQTT settings of <UserText>{reader.name}</UserText>.
        </Trans>
      </Text>
      <ConnectionPanel reader={reader} password={password} />
      {password === null && <NewPassword readerId={reader.id} onPassword={setPassword} />}
      <Light readerId={reader.id} />
      <Group>
        <Button variant="default" onClick={onNext}>{t`Next step`}</Button>
      </Group>
    </Stack>
  );
}

function Light({ readerId }: { readerId: number }) {
  const { trpc, refresh } = useServer();
  const onFirstMessage = useCallback(() => {
    void refresh(trpc.organizations);
  }, [refresh, trpc]);
  return <LiveLight readerId={readerId} onFirstMessage={onFirstMessage} />;
}

type RegisterFormProps = { onRegistered: (password: string) => void; onSkip: () => void };

function RegisterForm({ onRegistered, onSkip }: RegisterFormProps) {
  const { trpc, api, refresh } = useServer();
  // Loaded each time the form is shown, since an answer from before the first step has no location yet.
  const locations = useQuery(trpc.locations.list.queryOptions({ limit: 200, sort: '-created_at' }, { staleTime: 0 }));
  const form = useServerForm({ initialValues: { name: '', location_id: '' }, send: register });
  const guard = useLeaveGuard(form.isDirty() && !form.submitting);
  const known = locations.data?.data ?? [];
  // Most likely the location that was created last, often in the previous step.
  const locationId = form.values.location_id || String(known[0]?.id ?? '');

  if (locations.error && !locations.data) {
    return <ProblemState error={locations.error} onRetry={() => void locations.refetch()} />;
  }
  if (!locations.isFetchedAfterMount) return <Skeleton height={220} aria-label={t`Loading`} />;

  async function register({ name }: { name: string }): Promise<void> {
    const made = await api.readers.create.mutate({ name, location_id: locationId === '' ? null : Number(locationId) });
    onRegistered(made.mqtt_password);
    await refresh(trpc.readers, trpc.organizations);
  }

  return (
    <ServerForm form={form} submit={t`Add reader`} others={<SkipButton onSkip={onSkip} />}>
      <Text>
        <Trans>
          A fixed reader or a Bluetooth gateway that reports reads over MQTT. It gets its own user name and password;
          the format is detected automatically.
        </Trans>
      </Text>
      <TextInput label={t`Name`} placeholder={t`Gate 1`} required {...form.getInputProps('name')} />
      <NativeSelect
        label={t`Location`}
        data={[
          ...(known.length === 0 ? [{ value: '', label: t`No location yet` }] : []),
          ...known.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...form.getInputProps('location_id')}
        value={locationId}
      />
      {guard.question}
    </ServerForm>
  );
}

type NewPasswordProps = { readerId: number; onPassword: (password: string) => void };

/** For people who return to this step: a password is shown once, so the reader gets a new one. */
function NewPassword({ readerId, onPassword }: NewPasswordProps) {
  const trpc = useTRPC();
  const renew = useMutation(
    trpc.readers.rotateSecret.mutationOptions({ onSuccess: ({ mqtt_password }) => onPassword(mqtt_password) }),
  );
  return (
    <Stack gap="xs">
      <Text size="sm">{t`The password was shown only once. A new password disconnects the reader until you enter it there.`}</Text>
      <FormProblem error={renew.error} />
      <Group>
        <Button
          size="xs"
          variant="default"
          loading={renew.isPending}
          onClick={() => renew.mutate({ id: readerId })}
        >{t`New password`}</Button>
      </Group>
    </Stack>
  );
}
