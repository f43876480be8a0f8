import { t } from '@lingui/core/macro';
import {
  Accordion,
  Checkbox,
  NativeSelect,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { LocationSelect } from '../../ui/location-select.js';
import { AntennasField } from './antennas-field.js';
import { formatNames, type ReaderFormat } from '../../readers/formats.js';
import { LocationRuleField } from './location-rule-field.js';
import { MappingField } from './mapping-field.js';
import type { MapFrom } from './mapping-sample.js';
import type { ReaderForm } from './reader-form.js';
import { tagTypes } from './tag-types.js';

const formats = Object.keys(formatNames) as ReaderFormat[];

type ReaderFieldsProps = {
  form: ReaderForm;
  /** Missing for a reader that is being added. */
  readerId?: number;
  /** The message to try a mapping on: the last one that the reader's format could not parse. */
  sample?: MapFrom | undefined;
  /** The ports of antennas that have read assets. */
  heardPorts?: readonly number[];
};

const noPorts: readonly number[] = [];

/** The settings of a reader; settings that are seldom needed are collapsed. */
export function ReaderFields({ form, readerId, sample, heardPorts = noPorts }: ReaderFieldsProps) {
  const { format, location } = form.getValues();
  return (
    <Stack>
      <TextInput
        label={t`Name`}
        placeholder={t`Dock door 1`}
        maxLength={255}
        required
        {...form.getInputProps('name')}
      />
      <Select
        label={t`Format`}
        description={formatNames[format].description}
        data={formats.map((value) => ({ value, label: formatNames[value].label }))}
        renderOption={({ option }) => (
          <div>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">
              {formatNames[option.value].description}
            </Text>
          </div>
        )}
        allowDeselect={false}
        value={format}
        error={form.errors['format']}
        onChange={(value) => value && form.setFieldValue('format', value)}
      />
      {format === 'mapped' && <MappingField form={form} readerId={readerId} sample={sample} />}
      {format === 'text' && <NativeSelect label={t`Tag type`} data={tagTypes} {...form.getInputProps('tag_type')} />}
      <LocationSelect
        label={t`Location`}
        description={t`Default location for reads`}
        value={location}
        error={form.errors['location']}
        onChange={(chosen) => form.setFieldValue('location', chosen)}
      />
      <AntennasField form={form} heardPorts={heardPorts} />
      <LocationRuleField form={form} />
      <Accordion variant="separated">
        <Accordion.Item value="more">
          <Accordion.Control>{t`Topic and timing`}</Accordion.Control>
          <Accordion.Panel>
            <Stack>
              <TextInput
                label={t`Topic`}
                description={t`Leave blank to use the reader’s own topic. If the device has a fixed topic, enter it here; + and # are wildcards.`}
                placeholder={t`readers/<user name>/reads`}
                maxLength={255}
                spellCheck={false}
                {...form.getInputProps('publish_topic')}
              />
              <TagsInput
                label={t`Further topics`}
                description={t`Other topics to which the device publishes reads. Press Enter after each.`}
                maxTags={20}
                maxLength={255}
                {...form.getInputProps('more_topics')}
              />
              <NumberInput
                label={t`Store repeated reads every`}
                description={t`Repeated reads of an asset at the same location within this time are not stored as events. 0 stores every read.`}
                suffix=" s"
                min={0}
                max={86_400}
                allowDecimal={false}
                {...form.getInputProps('resolution_seconds')}
              />
              <Checkbox
                label={t`Use the time of receipt`}
                description={t`A wrong clock is corrected automatically. Use this only if the device sends meaningless times.`}
                {...form.getInputProps('use_receipt_time', { type: 'checkbox' })}
              />
              <Checkbox
                label={t`List private Bluetooth addresses as unknown tags`}
                description={t`Phones and headsets send random addresses that change every few minutes. Reads of attached tags are always stored.`}
                {...form.getInputProps('count_private_addresses', { type: 'checkbox' })}
              />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
