import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { useServer } from '../../api/use-server.js';
import type { ReaderDetail } from '../../readers/formats.js';
import { ReaderFields } from './reader-fields.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { changedSettings, type ReaderValues, useReaderForm, valuesOf, withMapping } from './reader-form.js';
import type { MapFrom } from './mapping-sample.js';

/**
 * The reader's settings; saved settings apply to open connections too. Changes by somebody else are not shown while the
 * person types.
 */
export function ReaderSettings({ reader, mapFrom }: { reader: ReaderDetail; mapFrom: MapFrom | undefined }) {
  const [base, setBase] = useState(reader);
  const [isDirty, setDirty] = useState(false);
  // The message from which the last mapping was made, so that a form that is reset after saving is not filled again.
  const [mapped, setMapped] = useState<MapFrom>();
  const isBehind = base.updated_at !== reader.updated_at;
  if (isBehind && !isDirty) setBase(reader);
  return (
    <SettingsForm
      key={base.updated_at}
      base={base}
      heardPorts={reader.heard_ports}
      isDirty={isDirty}
      isBehind={isBehind}
      mapFrom={mapFrom === mapped ? undefined : mapFrom}
      sample={mapFrom}
      onMapped={setMapped}
      onDirty={setDirty}
      onDiscard={() => {
        setDirty(false);
        setBase({ ...reader });
      }}
    />
  );
}

type SettingsFormProps = {
  /** The reader as it was before anything was typed. */
  base: ReaderDetail;
  heardPorts: readonly number[];
  isDirty: boolean;
  /** Whether the reader has been changed since. */
  isBehind: boolean;
  mapFrom: MapFrom | undefined;
  sample: MapFrom | undefined;
  onMapped: (from: MapFrom) => void;
  onDirty: (isDirty: boolean) => void;
  onDiscard: () => void;
};

function SettingsForm(props: SettingsFormProps) {
  const { base, heardPorts, isDirty, isBehind, mapFrom, sample, onMapped, onDirty, onDiscard } = props;
  const { trpc, api, refresh } = useServer();
  const [initial] = useState(() => valuesOf(base));
  const form = useReaderForm({
    initial,
    onChange: (values) => onDirty(JSON.stringify(values) !== JSON.stringify(initial)),
    send: save,
  });
  const guard = useLeaveGuard(isDirty);
  const frame = useRef<HTMLFormElement>(null);
  const { mutate: propose, error: proposalError } = useMutation(trpc.readers.proposeMapping.mutationOptions());
  useEffect(() => {
    if (!mapFrom) return;
    onMapped(mapFrom);
    propose(
      { id: base.id, topic: mapFrom.topic, message: mapFrom.payload },
      {
        onSuccess(proposed) {
          form.setValues(withMapping(proposed));
          if (proposed.mapping.value === '') {
            form.setFieldError('mapping.value', t`Nothing in the message looks like a tag. Choose its value below.`);
          }
          // The fields of the mapping are rendered in the next frame.
          requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>('[data-mapping] input')?.focus());
        },
      },
    );
  }, [mapFrom, onMapped, propose, base.id, form]);
  const rejected = useQuery(
    trpc.scans.rejectedMessages.queryOptions(
      { reader_id: base.id, limit: 1 },
      { enabled: form.getValues().format === 'mapped' },
    ),
  );
  const last = rejected.data?.data[0];

  async function save(values: ReaderValues): Promise<void> {
    await api.readers.update.mutate({ id: base.id, ...changedSettings(initial, values) });
    onDirty(false);
    await refresh(trpc.readers);
    notifications.show({ message: t`Settings saved` });
  }

  return (
    <form ref={frame} noValidate onSubmit={form.send}>
      <Stack>
        <ReaderFields
          form={form}
          heardPorts={heardPorts}
          readerId={base.id}
          sample={sample ?? (last?.payload_encoding === 'text' ? last : undefined)}
        />
        {isBehind && isDirty && (
          <Alert color="yellow" title={t`Someone else changed this reader`}>
            <Trans>Saving overwrites what they changed in the same settings. Discard your changes to see theirs.</Trans>
          </Alert>
        )}
        {guard.question}
        <FormProblem problem={form.problem} error={proposalError} />
        <Group justify="flex-end">
          {isDirty && (
            <Button
              variant="default"
              onClick={() => {
                form.reset();
                onDiscard();
              }}
            >
              <Trans>Discard changes</Trans>
            </Button>
          )}
          <Button type="submit" loading={form.submitting} disabled={!isDirty}>{t`Save settings`}</Button>
        </Group>
      </Stack>
    </form>
  );
}
