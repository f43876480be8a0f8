import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Input, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWedgeScanner } from '../../scanning/use-wedge-scanner.js';
import { tagIdNotice } from '../../tags/tag-id-notice.js';
import { AddRowButton, RemoveRowButton } from '../../ui/row-buttons.js';
import { type TagType, tagTypes } from './tag-types.js';

export type DraftTag = { id: number; tag_type: TagType; value: string };

type NewTagsProps = { value: readonly DraftTag[]; onChange: (tags: readonly DraftTag[]) => void; error?: ReactNode };

/** Edits the tags of a new asset. A keyboard scanner adds one without a field being focused. */
export function NewTags({ value: tags, onChange, error }: NewTagsProps) {
  const nextId = Math.max(0, ...tags.map(({ id }) => id)) + 1;
  const lastType = tags.at(-1)?.tag_type ?? 'rfid';

  function add(value: string): void {
    if (value !== '' && tags.some((tag) => tag.value === value)) return;
    onChange([...tags.filter((tag) => tag.value !== '' || value === ''), { id: nextId, tag_type: lastType, value }]);
  }

  useWedgeScanner(add);
  const change = (id: number, part: Partial<DraftTag>) =>
    onChange(tags.map((tag) => (tag.id === id ? { ...tag, ...part } : tag)));

  return (
    <Stack gap="xs" role="group" aria-label={t`Tags`}>
      <div>
        <Text size="sm" fw={500}>{t`Tags`}</Text>
        <Text size="xs" c="dimmed">
          <Trans>RFID, Bluetooth (BLE) or barcode. Type the value, or scan it with a keyboard scanner.</Trans>
        </Text>
      </div>
      {tags.map((tag, index) => (
        <Group key={tag.id} gap="xs" wrap="nowrap">
          <NativeSelect
            aria-label={t`Type of tag ${index + 1}`}
            data={[...tagTypes]}
            value={tag.tag_type}
            onChange={(event) => change(tag.id, { tag_type: event.currentTarget.value as TagType })}
          />
          <TextInput
            aria-label={t`Value of tag ${index + 1}`}
            flex={1}
            miw={0}
            ff="monospace"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={tagIdNotice(tag.tag_type, tag.value)}
            value={tag.value}
            onChange={(event) => change(tag.id, { value: event.currentTarget.value })}
          />
          <RemoveRowButton
            label={t`Remove tag ${index + 1}`}
            onClick={() => onChange(tags.filter(({ id }) => id !== tag.id))}
          />
        </Group>
      ))}
      <Group>
        <AddRowButton onClick={() => add('')}>{t`Add tag`}</AddRowButton>
      </Group>
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}
