import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';

export type ReaderDetail = Outputs['readers']['get'];
export type ReaderState = Outputs['readers']['overview']['data'][number];
export type ReaderStatus = ReaderState['status'];
export type ReaderFormat = ReaderDetail['format'];

/** Names of the formats, and a description by which people recognize their device; the first format is the default. */
export const formatNames: Readonly<Record<ReaderFormat, { label: string; description: string }>> = {
  auto: {
    label: t`Automatic`,
    description: t`The format of each message is detected automatically.`,
  },
  csl_cs463: { label: t`CSL CS463`, description: t`Fixed RFID reader by Convergence Systems.` },
  zebra_iotc: {
    label: t`Zebra IoT Connector`,
    description: t`Zebra FX7500, FX9600 and FXR90 fixed RFID readers, RFD40 and RFD90 sleds.`,
  },
  impinj_iot: { label: t`Impinj IoT device interface`, description: t`Impinj R700 and R720 fixed RFID readers.` },
  smartreader: { label: t`SmartReader`, description: t`The SmartReader app on Impinj readers.` },
  gl_s10: { label: t`GL-S10`, description: t`Bluetooth gateway by GL.iNet.` },
  moko_mk107: { label: t`MOKO`, description: t`Bluetooth gateways by MOKO: MKGW, MK107 and MK110 series.` },
  minew_g1: { label: t`Minew G1`, description: t`Bluetooth gateway by Minew.` },
  ruuvi: { label: t`Ruuvi Gateway`, description: t`Bluetooth gateway by Ruuvi; the tag is in the topic.` },
  theengs: { label: t`OpenMQTTGateway, Theengs`, description: t`Open source Bluetooth gateways.` },
  tasmota: { label: t`Tasmota`, description: t`Open source firmware with Bluetooth, iBeacons or card readers.` },
  espresense: { label: t`ESPresense`, description: t`Open source Bluetooth nodes for rooms.` },
  shelly: { label: t`Shelly BLU`, description: t`Shelly devices that forward Shelly BLU and BTHome devices.` },
  cassia: { label: t`Cassia`, description: t`Bluetooth gateways by Cassia Networks.` },
  april_brother: { label: t`April Brother`, description: t`Bluetooth gateway V4, in MessagePack or JSON.` },
  ingics: { label: t`Ingics`, description: t`Bluetooth gateways that send lines such as $GPRP.` },
  esp_rfid: { label: t`esp-rfid`, description: t`Open source door readers.` },
  text: { label: t`Text`, description: t`ESPHome and simple readers: the message is the identifier of the tag.` },
  native: { label: t`Whereabouts`, description: t`For your own programs: ${'{"reads":[{"value":"…"}]}'}.` },
  mapped: { label: t`Other JSON`, description: t`You map the fields of a message: tag, antenna, RSSI and time.` },
};

const mac = 'F95BC0EC4E56';
const epc = 'E2801190A503006543E21224';

const samples: Readonly<Record<Exclude<ReaderFormat, 'mapped' | 'auto'>, unknown>> = {
  native: { reads: [{ value: epc, antenna: 1, rssi_dbm: -48 }] },
  csl_cs463: { rfidReaderName: 'r1', tags: [{ epc, antennaPort: 1, rssi: '-56' }] },
  zebra_iotc: { type: 'INVENTORY', data: { idHex: epc.toLowerCase(), antenna: 1, peakRssi: -41 } },
  impinj_iot: { eventType: 'tagInventory', tagInventoryEvent: { epcHex: epc, antennaPort: 1 } },
  smartreader: { tag_reads: [{ epc, antennaPort: 1, peakRssi: -50 }] },
  gl_s10: { dev_id: 'g1', dev_list: [{ mac, rssi: -57 }] },
  moko_mk107: { msg_id: 3004, data: [{ type: 1, value: { mac, rssi: -58 } }] },
  minew_g1: [{ type: 'iBeacon', timestamp: '', mac, rssi: -79 }],
  ruuvi: { gw_mac: 'DE:AD:BE:EF:00:00', rssi: -83 },
  theengs: { id: 'F9:5B:C0:EC:4E:56', rssi: -79 },
  tasmota: { IBEACON: { MAC: mac, RSSI: -79, STATE: 'ON' } },
  espresense: { mac: mac.toLowerCase(), id: mac.toLowerCase(), rssi: -71.5, distance: 2.9 },
  shelly: { BTHome_version: 2, pid: 6, rssi: -76, address: 'f9:5b:c0:ec:4e:56' },
  cassia: { action: 'data.scan', data: [{ bdaddrs: [{ bdaddr: 'F9:5B:C0:EC:4E:56' }], rssi: -61 }] },
  april_brother: { v: '1.5.0', mid: 1, ip: '', mac: '', devices: [[0, mac, -61, '']] },
  ingics: `$GPRP,${mac},CB412F0C8EDC,-49,020106`,
  esp_rfid: { type: 'access', uid: 'f9c2f720' },
  text: '55-67-23-2D',
};

type Sampled = Pick<ReaderDetail, 'format' | 'mapping' | 'tag_type' | 'publish_topic'>;

/** A path of keys. For any other expression, no sample message can be generated. */
const plainPath = /^[\w-]+(?:\.[\w-]+)*$/;

/**
 * Returns a message that the reader's format can parse, to test the connection with; undefined if its mapping has expressions or a
 * condition.
 */
export function sampleMessage({ format, mapping, tag_type }: Sampled): string | undefined {
  if (format !== 'mapped') {
    const sample = samples[format === 'auto' ? 'native' : format];
    return typeof sample === 'string' ? sample : JSON.stringify(sample);
  }
  if (!mapping) return '{}';
  const { value, list = value, antenna = value, condition } = mapping;
  if (condition !== undefined || ![value, list, antenna].every((path) => plainPath.test(path))) return undefined;
  const item = {};
  put(item, value, tag_type === 'ble' ? mac : epc);
  if (mapping.antenna !== undefined) put(item, mapping.antenna, 1);
  if (mapping.list === undefined) return JSON.stringify(item);
  const message = {};
  put(message, mapping.list, [item]);
  return JSON.stringify(message);
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let parent = target;
  for (const key of keys) {
    const next: Record<string, unknown> = Object.hasOwn(parent, key) ? (parent[key] as Record<string, unknown>) : {};
    Object.defineProperty(parent, key, { value: next, enumerable: true, configurable: true, writable: true });
    parent = next;
  }
  Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns a topic that the reader may publish its reads to, with its wildcards filled in. */
export function sampleTopic({ format, publish_topic: topic }: Sampled): string {
  const levels = topic.split('/').map((level) => (level === '+' || level === '#' ? 'example' : level));
  // The last level of a Ruuvi gateway's topic is the tag's MAC address.
  if (format === 'ruuvi') levels[levels.length - 1] = mac;
  return levels.join('/');
}
