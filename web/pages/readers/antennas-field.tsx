import { ActionIcon, Button, Fieldset, Group, NumberInput, Paper, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { LocationSelect } from '../../ui/location-select.js';
import { newAntenna, type ReaderForm } from './reader-form.js';

const portMax = 65_535;

/** Which antenna looks at which location; a reader without any stands for its own location alone. */
export function AntennasField({ form }: { form: ReaderForm }) {
  const { antennas } = form.getValues();
  const nextPort = Math.max(0, ...antennas.map(({ port }) => Number(port) || 0)) + 1;
  return (
    <Fieldset legend="Antennas">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Reads of an antenna that is not listed, or has no location, count for the reader’s own location.
        </Text>
        {antennas.map((antenna, index) => (
          <Paper key={antenna.key} withBorder p="sm">
            <Group align="flex-start" gap="sm" role="group" aria-label={`Antenna ${antenna.port}`}>
              <NumberInput
                label="Port"
                w={90}
                min={0}
                max={portMax}
                allowDecimal={false}
                {...form.getInputProps(`antennas.${index}.port`)}
              />
              <Stack flex="1 1 200px">
                <LocationSelect
                  label="Antenna location"
                  value={antenna.location}
                  onChange={(location) => form.setFieldValue(`antennas.${index}.location`, location)}
                />
              </Stack>
              <NumberInput
                label="Least strength, dBm"
                placeholder="any"
                w={160}
                min={-200}
                max={100}
                allowDecimal={false}
                {...form.getInputProps(`antennas.${index}.minRssi`)}
              />
              <ActionIcon
                mt={28}
                aria-label={`Remove antenna ${antenna.port}`}
                onClick={() => form.removeListItem('antennas', index)}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </Group>
          </Paper>
        ))}
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.insertListItem('antennas', newAntenna(nextPort))}
          >
            Add an antenna
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
