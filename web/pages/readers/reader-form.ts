import { t } from '@lingui/core/macro';
import type { UseFormReturnType } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import type { Inputs, Outputs } from '../../api/trpc.js';
import type { Choice } from '../../ui/search-select.js';
import type { ReaderDetail, ReaderFormat } from '../../readers/formats.js';
import { useServerForm } from '../../ui/use-server-form.js';

export type AntennaKind = ReaderDetail['antennas'][number]['kind'];

export const antennaKinds: { value: AntennaKind; label: string }[] = [
  { value: 'zone', label: t`Zone` },
  { value: 'portal', label: t`Portal` },
];

/** An antenna in the form; the key identifies its row. */
export type AntennaValues = {
  key: string;
  port: number | string;
  location: Choice | null;
  minRssi: number | string;
  kind: AntennaKind;
};

export type ReaderValues = {
  name: string;
  format: ReaderFormat;
  location: Choice | null;
  antennas: AntennaValues[];
  publish_topic: string;
  more_topics: string[];
  resolution_seconds: number | string;
  use_receipt_time: boolean;
  count_private_addresses: boolean;
  location_rule: ReaderDetail['location_rule'];
  mapping: { list: string; condition: string; value: string; antenna: string; rssi: string; time: string };
  time_unit: 'rfc3339' | 's' | 'ms' | 'us';
  tag_type: 'rfid' | 'ble' | 'barcode';
};

export type ReaderForm = UseFormReturnType<ReaderValues>;

const initialValues: ReaderValues = {
  name: '',
  format: 'auto',
  location: null,
  antennas: [],
  publish_topic: '',
  more_topics: [],
  resolution_seconds: 60,
  use_receipt_time: false,
  count_private_addresses: false,
  location_rule: 'evidence',
  mapping: { list: '', condition: '', value: '', antenna: '', rssi: '', time: '' },
  time_unit: 'rfc3339',
  tag_type: 'rfid',
};

type ReaderFormInput = {
  initial?: ReaderValues;
  onChange?: (values: ReaderValues) => void;
  send: (values: ReaderValues) => Promise<void>;
};

export function useReaderForm({ initial = initialValues, onChange = () => {}, send }: ReaderFormInput) {
  return useServerForm<ReaderValues>({ initialValues: initial, onValuesChange: onChange, send, fieldNames });
}

/** The form's fields at which errors of the service's fields are shown. */
const fieldNames: Readonly<Record<string, string>> = {
  location_id: 'location',
  list: 'mapping.list',
  condition: 'mapping.condition',
  value: 'mapping.value',
  mapping: 'mapping.value',
  antenna: 'mapping.antenna',
  rssi: 'mapping.rssi',
  time: 'mapping.time',
};

export function newAntenna(port: number): AntennaValues {
  return { key: randomId(), port, location: null, minRssi: '', kind: 'zone' };
}

/** Returns the form's values of a reader's settings. */
export function valuesOf(reader: ReaderDetail): ReaderValues {
  const names = new Map(reader.locations.map(({ id, name }) => [id, name]));
  const choiceOf = (id: number | null): Choice | null => {
    const label = id === null ? undefined : names.get(id);
    return id === null || label === undefined ? null : { id, label };
  };
  const ownTopic = `readers/${reader.mqtt_username}/reads`;
  return {
    name: reader.name,
    format: reader.format,
    location: choiceOf(reader.location_id),
    antennas: reader.antennas.map(({ port, location_id, min_rssi_dbm, kind }) => ({
      key: randomId(),
      port,
      location: choiceOf(location_id),
      minRssi: min_rssi_dbm ?? '',
      kind,
    })),
    publish_topic: reader.publish_topic === ownTopic ? '' : reader.publish_topic,
    more_topics: reader.more_topics,
    resolution_seconds: reader.resolution_seconds,
    use_receipt_time: reader.use_receipt_time,
    count_private_addresses: reader.count_private_addresses,
    location_rule: reader.location_rule,
    mapping: { ...initialValues.mapping, ...reader.mapping },
    time_unit: reader.time_unit ?? 'rfc3339',
    tag_type: reader.tag_type ?? 'rfid',
  };
}

/** Returns the form's values of a mapping that the service proposes. */
export function withMapping({ mapping, ...others }: Outputs['readers']['proposeMapping']): Partial<ReaderValues> {
  return { format: 'mapped', mapping: { ...initialValues.mapping, ...mapping }, ...others };
}

/** Returns the mapping in the form without its empty parts; only the value has to be there. */
export function mappingOf({ mapping: { value, ...parts } }: ReaderValues) {
  const given = Object.entries(parts).filter(([, expression]) => expression !== '');
  return { ...(Object.fromEntries(given) as Partial<typeof parts>), value };
}

/** Returns the settings in the form. An emptied field is sent as it is, so that the service reports what it must be. */
export function settingsOf(values: ReaderValues): Inputs['readers']['create'] {
  return {
    name: values.name,
    format: values.format,
    location_id: values.location?.id ?? null,
    antennas: values.antennas.map(({ port, location, minRssi, kind }) => ({
      port: port as number,
      location_id: location?.id ?? null,
      min_rssi_dbm: minRssi === '' ? null : (minRssi as number),
      kind,
    })),
    publish_topic: values.publish_topic.trim() === '' ? null : values.publish_topic.trim(),
    more_topics: values.more_topics,
    resolution_seconds: values.resolution_seconds as number,
    use_receipt_time: values.use_receipt_time,
    count_private_addresses: values.count_private_addresses,
    location_rule: values.location_rule,
    ...(values.format === 'text' && { tag_type: values.tag_type }),
    ...(values.format === 'mapped' && {
      mapping: mappingOf(values),
      time_unit: values.time_unit,
      tag_type: values.tag_type,
    }),
  };
}

/**
 * Returns the settings that differ from the settings with which the form began. Settings that others changed meanwhile
 * are not sent.
 */
export function changedSettings(initial: ReaderValues, values: ReaderValues): Partial<Inputs['readers']['create']> {
  const before = new Map(Object.entries(settingsOf(initial)));
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before.get(name));
  return Object.fromEntries(Object.entries(settingsOf(values)).filter(isChanged));
}
