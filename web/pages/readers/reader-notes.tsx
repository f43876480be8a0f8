import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import type { ReaderDetail } from '../../readers/formats.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import type { MapFrom } from './mapping-sample.js';
import classes from './readers.module.css';

type Note = Outputs['readers']['notes'][number];

const refetchMs = 5000;
/** A note about the mapping is renewed with each message, so an older note does not apply to the newest messages. */
const partNames: Readonly<Record<string, string>> = { antenna: t`Antenna`, rssi: t`RSSI`, time: t`Time` };

type ReaderNotesProps = {
  reader: ReaderDetail;
  /** Starts a field mapping from a message. */
  onMap: (from: MapFrom) => void;
};

/** The notes about a reader: dropped topics, a shared client id, paths that find nothing, messages without reads. */
export function ReaderNotes({ reader, onMap }: ReaderNotesProps) {
  const trpc = useTRPC();
  const notes = useQuery(trpc.readers.notes.queryOptions({ id: reader.id }, { refetchInterval: refetchMs }));
  const of = (kind: Note['kind']) => (notes.data ?? []).filter((note) => note.kind === kind);
  const [mapping] = reader.format === 'mapped' ? of('mapping') : [];
  const missing = mapping?.detail.split(',').flatMap((part) => partNames[part] ?? []) ?? [];
  const [newest] = of('without_reads');
  return (
    <Stack>
      {of('client_id').map((note) => (
        <Alert key={note.subject} color="orange" icon={<IconAlertTriangle />} title={t`Two devices use one client ID`}>
          <Trans>
            Devices at <UserText>{note.detail}</UserText> disconnect each other, as both use the client ID{' '}
            <UserText>{note.subject}</UserText>. Give each its own. Last seen <When at={note.noted_at} />.
          </Trans>
        </Alert>
      ))}
      <OtherTopics reader={reader} notes={of('other_topic')} />
      {missing.length > 0 && (
        <Alert color="orange" icon={<IconAlertTriangle />} title={t`The field mapping finds nothing`}>
          <Trans>
            In the newest message, nothing was found for: {missing.join(', ')}. Without a time, the time of receipt is
            used.
          </Trans>
        </Alert>
      )}
      {of('time').map((note) => (
        <Alert key="time" color="orange" icon={<IconAlertTriangle />} title={t`The time of the messages is not used`}>
          <Trans>
            A message has <UserText>{note.detail}</UserText>, a time without date or offset. The time of receipt is
            used. Last seen <When at={note.noted_at} />.
          </Trans>
        </Alert>
      ))}
      {newest ? (
        <WithoutReads note={newest} onMap={onMap} />
      ) : (
        <Text c="dimmed" size="sm">{t`No messages without reads in the last 7 days.`}</Text>
      )}
    </Stack>
  );
}

function OtherTopics({ reader, notes }: { reader: ReaderDetail; notes: Note[] }) {
  const { trpc, refresh } = useServer();
  const update = useMutation(trpc.readers.update.mutationOptions({ onSuccess: () => refresh(trpc.readers) }));
  const open = notes.filter(({ subject }) => !reader.more_topics.includes(subject) && reader.publish_topic !== subject);
  if (open.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} title={t`Messages on other topics were dropped`}>
      <Stack gap="xs">
        {open.map(({ subject, noted_at: at }) => (
          <Group key={subject} justify="space-between" gap="xs">
            <Text size="sm" component="span">
              <UserText>{subject}</UserText> (<When at={at} />)
            </Text>
            <Button
              size="xs"
              variant="default"
              loading={update.isPending && update.variables.more_topics?.at(-1) === subject}
              onClick={() => update.mutate({ id: reader.id, more_topics: [...reader.more_topics, subject] })}
            >{t`Add this topic`}</Button>
          </Group>
        ))}
        <FormProblem problem={update.error ? problemOf(update.error) : null} />
      </Stack>
    </Alert>
  );
}

function WithoutReads({ note, onMap }: { note: Note; onMap: (from: MapFrom) => void }) {
  const { payload, subject, count, noted_at: at } = note;
  return (
    <Stack gap="xs">
      <Text size="sm">
        <Plural value={count} one="# message" other="# messages" /> <Trans>on</Trans> <UserText>{subject}</UserText>,{' '}
        <When at={at} />
      </Text>
      {payload !== null && (
        <>
          <pre className={classes['payload']} tabIndex={0} aria-label={t`Message without reads`} dir="auto">
            {payload}
          </pre>
          <Group>
            <Button
              size="xs"
              variant="default"
              onClick={() => onMap({ payload, topic: subject })}
            >{t`Create mapping`}</Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
