import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Fieldset, Group, NumberInput, Select, Stack, Table, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { LocationSelect } from '../../ui/location-select.js';
import { antennaKinds, newAntenna, type ReaderForm } from './reader-form.js';
import classes from './readers.module.css';

const portMax = 65_535;

type AntennasFieldProps = {
  form: ReaderForm;
  /** The ports of antennas that have read assets. */
  heardPorts: readonly number[];
};

/** Edits the antennas of a reader: the location and kind of each port. Ports without settings are listed once they have read. */
export function AntennasField({ form, heardPorts }: AntennasFieldProps) {
  const { antennas } = form.getValues();
  const ports = antennas.map(({ port }) => Number(port));
  const nextPort = Math.max(0, ...ports.filter((port) => port > 0)) + 1;
  const unset = heardPorts.filter((port) => !ports.includes(port));
  const add = (port: number) => form.insertListItem('antennas', newAntenna(port));
  return (
    <Fieldset legend={t`Antennas`}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          <Trans>
            Antennas without a location use the reader’s. A zone is where assets remain, a portal is where they pass
            through.
          </Trans>
        </Text>
        {antennas.length + unset.length > 0 && (
          <div className={classes['antennas']} tabIndex={0} role="group" aria-label={t`Antennas, table`}>
            <Table layout="fixed" miw={380} verticalSpacing={4} horizontalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={56}>{t`Port`}</Table.Th>
                  <Table.Th>{t`Location`}</Table.Th>
                  <Table.Th w={86}>{t`Kind`}</Table.Th>
                  <Table.Th w={80}>{t`Minimum RSSI (dBm)`}</Table.Th>
                  <Table.Td w={34} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {antennas.map((antenna, index) => (
                  <AntennaRow key={antenna.key} form={form} index={index} />
                ))}
                {unset.map((port) => (
                  <Table.Tr key={`port-${port}`} data-port={port}>
                    <Table.Td>{port}</Table.Td>
                    <Table.Td colSpan={3}>
                      <Text size="sm" c="dimmed">{t`Uses the reader’s location`}</Text>
                    </Table.Td>
                    <Table.Td>
                      <ActionIcon aria-label={t`Set up antenna ${port}`} onClick={() => add(port)}>
                        <IconPlus size={16} aria-hidden />
                      </ActionIcon>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        )}
        <Group>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => add(nextPort)}>
            <Trans>Add antenna</Trans>
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

type AntennaRowProps = Pick<AntennasFieldProps, 'form'> & { index: number };

function AntennaRow({ form, index }: AntennaRowProps) {
  const antenna = form.getValues().antennas[index];
  if (!antenna) return null;
  const name = `antennas.${index}` as const;
  return (
    <Table.Tr data-port={antenna.port}>
      <Table.Td>
        <NumberInput
          aria-label={t`Port of antenna ${index + 1}`}
          size="xs"
          min={0}
          max={portMax}
          allowDecimal={false}
          hideControls
          {...form.getInputProps(`${name}.port`)}
        />
      </Table.Td>
      <Table.Td>
        <LocationSelect
          label={t`Location of antenna ${antenna.port}`}
          isLabelHidden
          size="xs"
          placeholder={t`Reader’s location`}
          value={antenna.location}
          onChange={(location) => form.setFieldValue(`${name}.location`, location)}
        />
      </Table.Td>
      <Table.Td>
        <Select
          aria-label={t`Kind of antenna ${antenna.port}`}
          size="xs"
          data={antennaKinds}
          allowDeselect={false}
          comboboxProps={{ width: 120, position: 'bottom-start' }}
          {...form.getInputProps(`${name}.kind`)}
        />
      </Table.Td>
      <Table.Td>
        <NumberInput
          aria-label={t`Minimum RSSI of antenna ${antenna.port}, dBm`}
          size="xs"
          placeholder={t`None`}
          min={-200}
          max={100}
          allowDecimal={false}
          hideControls
          {...form.getInputProps(`${name}.minRssi`)}
        />
      </Table.Td>
      <Table.Td>
        <ActionIcon
          aria-label={t`Remove antenna ${antenna.port}`}
          onClick={() => form.removeListItem('antennas', index)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}
