import { t } from '@lingui/core/macro';
import { Autocomplete, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../api/trpc.js';
import { AddRowButton, RemoveRowButton } from '../../ui/row-buttons.js';
import type { DetailChange } from './bulk-values.js';

type BulkDetailsProps = { value: readonly DetailChange[]; onChange: (value: readonly DetailChange[]) => void };

const detailsMax = 50;

/** Custom details to set or to remove; other details stay. */
export function BulkDetails({ value: details, onChange }: BulkDetailsProps) {
  const trpc = useTRPC();
  const used = useQuery(trpc.assets.detailKeys.queryOptions());
  const change = (id: number, part: Partial<DetailChange>) =>
    onChange(details.map((detail) => (detail.id === id ? { ...detail, ...part } : detail)));
  const nextId = Math.max(0, ...details.map(({ id }) => id)) + 1;
  return (
    <Stack gap="xs" role="group" aria-label={t`Custom details`}>
      <Text size="sm" fw={500}>{t`Custom details`}</Text>
      {details.map((detail, index) => (
        <Group key={detail.id} gap="xs">
          <Autocomplete
            aria-label={t`Name of field ${index + 1}`}
            placeholder={t`Name`}
            flex="2 1 8rem"
            maxLength={100}
            data={used.data?.keys ?? []}
            value={detail.key}
            onChange={(key) => change(detail.id, { key })}
          />
          <NativeSelect
            aria-label={t`Change of field ${index + 1}`}
            data={[
              { value: 'set', label: t`Set to` },
              { value: 'clear', label: t`Remove` },
            ]}
            value={detail.choice}
            onChange={(event) => change(detail.id, { choice: event.currentTarget.value as DetailChange['choice'] })}
          />
          {detail.choice === 'set' && (
            <TextInput
              aria-label={t`Value of field ${index + 1}`}
              placeholder={t`Value`}
              flex="3 1 8rem"
              value={detail.value}
              onChange={(event) => change(detail.id, { value: event.currentTarget.value })}
            />
          )}
          <RemoveRowButton
            label={t`Remove field ${index + 1}`}
            onClick={() => onChange(details.filter(({ id }) => id !== detail.id))}
          />
        </Group>
      ))}
      <Group>
        <AddRowButton
          disabled={details.length >= detailsMax}
          onClick={() => onChange([...details, { id: nextId, key: '', choice: 'set', value: '' }])}
        >{t`Add field`}</AddRowButton>
      </Group>
    </Stack>
  );
}
