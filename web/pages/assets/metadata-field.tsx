import { t } from '@lingui/core/macro';
import { Group, Input, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { AddRowButton, RemoveRowButton } from '../../ui/row-buttons.js';
import { draftOf, jsonText, type MetadataDraft, type MetadataPair, metadataOf, newPair } from './metadata-values.js';

export type MetadataFieldProps = { value: MetadataDraft; onChange: (value: MetadataDraft) => void; error?: ReactNode };

/** Edits the custom details of an asset, as fields or as JSON. */
export function MetadataField({ value, onChange, error }: MetadataFieldProps) {
  const read = metadataOf(value);
  const canBePairs = 'metadata' in read && draftOf(read.metadata).mode === 'pairs';

  function show(mode: string): void {
    if (mode === value.mode || !('metadata' in read)) return;
    onChange(mode === 'json' ? { mode: 'json', text: jsonText(read.metadata) } : draftOf(read.metadata));
  }

  return (
    <Stack gap="xs" role="group" aria-label={t`Custom details`}>
      <Group justify="space-between" align="flex-end">
        <div>
          <Text size="sm" fw={500}>{t`Custom details`}</Text>
          <Text size="xs" c="dimmed">{t`For example a serial number or an owner.`}</Text>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={t`Format of custom details`}
          value={value.mode}
          onChange={show}
          data={[
            { value: 'pairs', label: t`Fields`, disabled: value.mode === 'json' && !canBePairs },
            { value: 'json', label: t`JSON`, disabled: value.mode === 'pairs' && !('metadata' in read) },
          ]}
        />
      </Group>
      {value.mode === 'json' ? (
        <Textarea
          aria-label={t`Custom details as JSON`}
          autosize
          minRows={4}
          maxRows={16}
          ff="monospace"
          spellCheck={false}
          value={value.text}
          onChange={(event) => onChange({ mode: 'json', text: event.currentTarget.value })}
        />
      ) : (
        <Pairs pairs={value.pairs} onChange={(pairs) => onChange({ mode: 'pairs', pairs })} />
      )}
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}

type PairsProps = { pairs: readonly MetadataPair[]; onChange: (pairs: readonly MetadataPair[]) => void };

function Pairs({ pairs, onChange }: PairsProps) {
  const change = (id: number, part: Partial<MetadataPair>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)));
  return (
    <Stack gap="xs">
      {pairs.map((pair, index) => (
        <Group key={pair.id} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={t`Name of field ${index + 1}`}
            placeholder={t`Name`}
            flex={2}
            miw={0}
            value={pair.key}
            onChange={(event) => change(pair.id, { key: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t`Value of field ${index + 1}`}
            placeholder={t`Value`}
            flex={3}
            miw={0}
            value={pair.text}
            onChange={(event) => change(pair.id, { text: event.currentTarget.value })}
          />
          <RemoveRowButton
            label={t`Remove field ${index + 1}`}
            onClick={() => onChange(pairs.filter(({ id }) => id !== pair.id))}
          />
        </Group>
      ))}
      <Group>
        <AddRowButton onClick={() => onChange([...pairs, newPair()])}>{t`Add field`}</AddRowButton>
      </Group>
    </Stack>
  );
}
