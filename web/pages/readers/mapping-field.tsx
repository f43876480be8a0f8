import { Fieldset, Group, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { findings } from './mapping-trial.js';
import type { ReaderForm } from './reader-form.js';
import { UserText } from '../../ui/user-text.js';

const paths = [
  { name: 'list', label: 'List of reads', placeholder: 'data.tags', hint: 'Leave blank if each message is one read.' },
  { name: 'value', label: 'Tag value', placeholder: 'epc', hint: 'Within an item of the list.' },
  { name: 'antenna', label: 'Antenna', placeholder: 'antennaPort', hint: 'Defaults to 1.' },
  { name: 'rssi', label: 'RSSI', placeholder: 'rssi', hint: 'In dBm.' },
  { name: 'time', label: 'Time', placeholder: 'timestamp', hint: 'Defaults to the time of receipt.' },
] as const;

const timeUnits = [
  { value: 'rfc3339', label: 'Text, RFC 3339' },
  { value: 's', label: 'Seconds since 1970' },
  { value: 'ms', label: 'Milliseconds since 1970' },
  { value: 'us', label: 'Microseconds since 1970' },
];

const tagTypes = [
  { value: 'rfid', label: 'RFID' },
  { value: 'ble', label: 'BLE' },
  { value: 'barcode', label: 'Barcode' },
];

/** Where a message of a device that nobody knows has what, tried on a message as one types. */
export function MappingField({ form, lastPayload }: { form: ReaderForm; lastPayload?: string | undefined }) {
  const [trial, setTrial] = useState<string>();
  const message = trial ?? lastPayload ?? '';
  return (
    <Fieldset legend="Field mapping" data-mapping>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Paths of keys separated by dots, such as <code>data.tags</code>.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {paths.map(({ name, label, placeholder, hint }) => (
            <TextInput
              key={name}
              label={label}
              description={hint}
              placeholder={placeholder}
              maxLength={255}
              spellCheck={false}
              {...form.getInputProps(`mapping.${name}`)}
            />
          ))}
          <NativeSelect label="Time format" data={timeUnits} {...form.getInputProps('time_unit')} />
          <NativeSelect label="Tag type" data={tagTypes} {...form.getInputProps('tag_type')} />
        </SimpleGrid>
        <Textarea
          label="Sample message"
          description="The reader’s last rejected message, or one that you paste. It stays in your browser."
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          value={message}
          onChange={(event) => setTrial(event.currentTarget.value)}
        />
        <Trial message={message} form={form} />
      </Stack>
    </Fieldset>
  );
}

function Trial({ message, form }: { message: string; form: ReaderForm }) {
  const { mapping } = form.getValues();
  if (message.trim() === '' || mapping.value === '') return null;
  const found = findings(message, mapping);
  if (typeof found === 'string') {
    return (
      <Text size="sm" role="status" c="orange">
        {found}
      </Text>
    );
  }
  return (
    <Stack gap={4} role="status">
      {found.map((finding, index) => (
        <Group key={index} gap="md">
          {Object.entries(finding).map(([name, value]) => (
            <Text key={name} size="sm" component="span">
              <Text span c="dimmed" size="sm">
                {name}{' '}
              </Text>
              <UserText>{value}</UserText>
            </Text>
          ))}
        </Group>
      ))}
    </Stack>
  );
}
