import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { problemOf } from '../../api/errors.js';
import { type Inputs, type Outputs, useTRPCClient } from '../../api/trpc.js';
import { rejectionText } from '../../readers/rejection-text.js';
import { levelText } from '../../ui/level.js';
import { exactTime } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import type { MapFrom } from './mapping-sample.js';
import { mappingOf, type ReaderForm } from './reader-form.js';
import { tagTypes } from './tag-types.js';

type Trial = Outputs['readers']['tryMapping'][number];
type Read = Trial['reads'][number];

const typingPauseMs = 300;

type MappingPreviewProps = { form: ReaderForm; readerId: number | undefined; sample: MapFrom };

/** Shows the reads that a sample and the reader's last rejected messages would give, judged by the service. */
export function MappingPreview({ form, readerId, sample }: MappingPreviewProps) {
  const api = useTRPCClient();
  const values = form.getValues();
  const input: Inputs['readers']['tryMapping'] = {
    ...(readerId !== undefined && { id: readerId }),
    message: sample.payload,
    topic: sample.topic,
    mapping: mappingOf(values),
    time_unit: values.time_unit,
    tag_type: values.tag_type,
  };
  const [asked] = useDebouncedValue(JSON.stringify(input), typingPauseMs);
  const isUsable = values.mapping.value !== '' && (readerId !== undefined || sample.payload.trim() !== '');
  const trials = useQuery({
    queryKey: ['mapping-trials', asked],
    queryFn: ({ signal }) => api.readers.tryMapping.mutate(JSON.parse(asked) as typeof input, { signal }),
    enabled: isUsable,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!isUsable) return null;
  if (trials.isError) {
    const { fields, detail } = problemOf(trials.error);
    return (
      <Text size="sm" role="status" c="orange">
        {fields[0]?.message ?? detail}
      </Text>
    );
  }
  if (!trials.data || trials.data.length === 0) return null;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={600}>{t`What would be stored`}</Text>
      {trials.data.map((trial, index) => (
        <TrialResult key={index} trial={trial} />
      ))}
    </Stack>
  );
}

function TrialResult({ trial }: { trial: Trial }) {
  const { received_at: at, reads, read_count: count, reason } = trial;
  const more = count - reads.length;
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {at === null ? (
          t`Sample message`
        ) : (
          <Trans>
            Message received <When at={at} />
          </Trans>
        )}
      </Text>
      {reads.map((read, index) => (
        <TrialRead key={index} read={read} />
      ))}
      {more > 0 && <Text size="sm">{plural(more, { one: 'and # more read', other: 'and # more reads' })}</Text>}
      {count === 0 && reason === null && <Text size="sm">{t`No reads: the message counts as a heartbeat.`}</Text>}
      {reason !== null && (
        <Text size="sm" c="orange">
          <UserText>{rejectionText(reason)}</UserText>
        </Text>
      )}
    </Stack>
  );
}

function TrialRead({ read }: { read: Read }) {
  const { tag_type: type, value, antenna, rssi_dbm: level, observed_at: at } = read;
  const parts = [
    tagTypes.find(({ value: name }) => name === type)?.label,
    t`antenna ${antenna}`,
    level === null ? t`no RSSI` : levelText(level),
    at === null ? t`time of receipt` : exactTime(Date.parse(at)),
  ];
  return (
    <Group gap="xs">
      <Text size="sm" span fw={500}>
        <UserText>{value}</UserText>
      </Text>
      <Text size="sm" span c="dimmed">
        {parts.join(' · ')}
      </Text>
    </Group>
  );
}
