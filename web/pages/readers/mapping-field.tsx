import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Fieldset, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MapFrom } from './mapping-sample.js';
import { MappingPreview } from './mapping-preview.js';
import { MessageTree } from './message-tree.js';
import type { ReaderForm } from './reader-form.js';
import { tagTypes } from './tag-types.js';

const paths = [
  {
    name: 'list',
    label: t`List of reads`,
    placeholder: 'data.tags',
    hint: t`Leave blank if each message is one read.`,
  },
  {
    name: 'condition',
    label: t`Only if`,
    placeholder: "Move == 'Insert'",
    hint: t`Other messages and items are no reads.`,
  },
  { name: 'value', label: t`Tag value`, placeholder: 'epc', hint: t`Within an item of the list.` },
  { name: 'antenna', label: t`Antenna`, placeholder: 'antennaPort', hint: t`Defaults to 1.` },
  { name: 'rssi', label: t`RSSI`, placeholder: 'rssi', hint: t`In dBm.` },
  { name: 'time', label: t`Time`, placeholder: 'timestamp', hint: t`Defaults to the time of receipt.` },
] as const;

const timeUnits = [
  { value: 'rfc3339', label: t`Text, RFC 3339` },
  { value: 's', label: t`Seconds since 1970` },
  { value: 'ms', label: t`Milliseconds since 1970` },
  { value: 'us', label: t`Microseconds since 1970` },
];

type MappingFieldProps = { form: ReaderForm; readerId: number | undefined; sample: MapFrom | undefined };

/** Maps the fields of an unknown device's messages, and shows the reads of a sample and of the last messages. */
export function MappingField({ form, readerId, sample }: MappingFieldProps) {
  const [trial, setTrial] = useState<string>();
  const [field, setField] = useState<(typeof paths)[number]['name']>('value');
  const message = trial ?? sample?.payload ?? '';
  const parsed = parsedMessage(message);
  return (
    <Fieldset legend={t`Field mapping`} data-mapping>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          <Trans>
            Keys separated by dots, such as <code>data.tags</code>, or JMESPath with <code>$</code> for the message and{' '}
            <code>topic()</code> for the levels of its topic.
          </Trans>
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {paths.map(({ name, label, placeholder, hint }) => (
            <TextInput
              key={name}
              label={label}
              description={hint}
              placeholder={placeholder}
              maxLength={500}
              onFocus={() => setField(name)}
              spellCheck={false}
              {...form.getInputProps(`mapping.${name}`)}
            />
          ))}
          <NativeSelect label={t`Time format`} data={timeUnits} {...form.getInputProps('time_unit')} />
          <NativeSelect label={t`Tag type`} data={tagTypes} {...form.getInputProps('tag_type')} />
        </SimpleGrid>
        <Textarea
          label={t`Sample message`}
          description={t`The reader’s last rejected message, or one that you paste. It is not stored. Choose a value below to fill in the field that you used last.`}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          value={message}
          onChange={(event) => setTrial(event.currentTarget.value)}
        />
        {parsed !== undefined && (
          <MessageTree
            message={parsed}
            onChoose={(expression) =>
              form.setFieldValue(`mapping.${field}`, relativeTo(form.getValues(), field, expression))
            }
          />
        )}
        <MappingPreview form={form} readerId={readerId} sample={{ payload: message, topic: sample?.topic ?? '' }} />
      </Stack>
    </Fieldset>
  );
}

/**
 * Returns an expression for a field: relative to an item of the list if it is within the list, otherwise from the
 * message.
 */
function relativeTo(
  { mapping: { list } }: ReturnType<ReaderForm['getValues']>,
  field: (typeof paths)[number]['name'],
  expression: string,
): string {
  if (field === 'list') return expression.replace(/\[\d+\].*$/, '');
  if (list === '') return expression.replace(/^\[\d+\]\.?/, '');
  if (!expression.startsWith(`${list}[`)) return `$.${expression}`;
  return expression.slice(list.length).replace(/^\[\d+\]\.?/, '');
}

/** Returns a message parsed as JSON; undefined for any other message. */
function parsedMessage(message: string): unknown {
  try {
    return JSON.parse(message) as unknown;
  } catch {
    return undefined;
  }
}
