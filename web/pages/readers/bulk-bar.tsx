import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, List, NativeSelect, Paper, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonText } from '../../api/reason-texts.js';
import { type Outputs, useTRPCClient } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { formatNames, type ReaderFormat } from '../../readers/formats.js';
import { ActionButton } from '../../ui/action-button.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { LocationSelect } from '../../ui/location-select.js';
import { quantity } from '../../ui/quantity.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import type { Choice } from '../../ui/search-select.js';
import { useServerForm } from '../../ui/use-server-form.js';

type Results = Outputs['readers']['updateMany']['results'];
type SimpleFormat = Exclude<ReaderFormat, 'mapped'>;

type ReaderBulkBarProps = { ids: readonly number[]; onClear: () => void };

/** Actions on the selected readers, which may be on several pages. */
export function ReaderBulkBar({ ids, onClear }: ReaderBulkBarProps) {
  const { trpc, api, refresh } = useServer();
  const [dialog, setDialog] = useState<'move' | 'format'>();
  const [failed, setFailed] = useState<Results>([]);
  const remove = useMutation(trpc.readers.deleteMany.mutationOptions());
  const count = quantity(ids.length, 'reader');

  async function done({ results }: { results: Results }): Promise<void> {
    setDialog(undefined);
    setFailed(results.filter(({ status }) => status === 'failed'));
    await refresh(trpc.readers);
    if (results.every(({ status }) => status === 'done')) onClear();
  }

  async function deleteAll(): Promise<void> {
    const answer = await remove.mutateAsync({ ids: [...ids] });
    const deleted = answer.results.filter(({ status }) => status === 'done').map(({ id }) => id);
    await done(answer);
    if (deleted.length === 0) return;
    const what = quantity(deleted.length, 'reader');
    showUndoNotice(t`${what} deleted`, async () => {
      for (const id of deleted) await api.readers.restore.mutate({ id });
      await refresh(trpc.readers);
      return t`${what} restored`;
    });
  }

  return (
    <Paper withBorder p="xs" role="region" aria-label={t`Selected readers`}>
      <Stack gap="xs">
        <Group gap="xs">
          <Text fw={550} size="sm" aria-live="polite" mr="sm">
            <Trans>{count} selected</Trans>
          </Text>
          <Button size="xs" variant="default" onClick={() => setDialog('move')}>
            {t`Move to location`}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDialog('format')}>
            {t`Change format`}
          </Button>
          <ActionButton size="xs" onAct={deleteAll}>
            {t`Delete`}
          </ActionButton>
          <Button size="xs" variant="subtle" onClick={onClear}>
            {t`Clear selection`}
          </Button>
        </Group>
        {failed.length > 0 && (
          <Alert color="red" title={t`Some readers were not changed`}>
            <List size="sm">
              {failed.map((result) => (
                <List.Item key={result.id}>{result.status === 'failed' && reasonText(result.reason)}</List.Item>
              ))}
            </List>
          </Alert>
        )}
      </Stack>
      {dialog === 'move' && <MoveDialog ids={ids} onClose={() => setDialog(undefined)} onDone={done} />}
      {dialog === 'format' && <FormatDialog ids={ids} onClose={() => setDialog(undefined)} onDone={done} />}
    </Paper>
  );
}

type DialogProps = {
  ids: readonly number[];
  onClose: () => void;
  onDone: (answer: { results: Results }) => Promise<void>;
};

function MoveDialog({ ids, onClose, onDone }: DialogProps) {
  const api = useTRPCClient();
  const form = useServerForm<{ location: Choice | null }>({
    initialValues: { location: null },
    async send({ location }) {
      if (location) await onDone(await api.readers.updateMany.mutate({ ids: [...ids], location_id: location.id }));
    },
  });
  const { location: chosen } = form.values;
  return (
    <FormDialog
      form={form}
      title={t`Move ${quantity(ids.length, 'reader')}`}
      submit={t`Move`}
      isDisabled={chosen === null}
      onClose={onClose}
    >
      <LocationSelect label={t`Location`} required {...form.getInputProps('location')} value={chosen} />
    </FormDialog>
  );
}

const formats = Object.keys(formatNames).filter((format): format is SimpleFormat => format !== 'mapped');

function FormatDialog({ ids, onClose, onDone }: DialogProps) {
  const api = useTRPCClient();
  const form = useServerForm<{ format: SimpleFormat }>({
    initialValues: { format: 'auto' },
    send: async ({ format }) => onDone(await api.readers.updateMany.mutate({ ids: [...ids], format })),
  });
  return (
    <FormDialog
      form={form}
      title={t`Change the format of ${quantity(ids.length, 'reader')}`}
      submit={t`Change format`}
      onClose={onClose}
    >
      <NativeSelect
        label={t`Format`}
        description={t`A field mapping is set on the page of a single reader.`}
        data={formats.map((value) => ({ value, label: formatNames[value].label }))}
        {...form.getInputProps('format')}
      />
    </FormDialog>
  );
}
