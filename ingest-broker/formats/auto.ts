import { isAprilBrother } from './april-brother.js';
import type { Format, FormatInput } from './format.js';
import { type Finding, type FrameFormat, isWithoutLevel, jsonFormat } from './frame-format.js';
import { ingics, isIngics } from './ingics.js';
import { type Frame, fieldOf } from './json-frames.js';
import { hasOwnNetwork, hasTwoAddresses, namesTag } from './resembles-read.js';
import { asMac, textOf } from './values.js';
import { recognizable, unmistakable } from './vendors.js';

const unmistakableFormats: readonly FrameFormat[] = Object.values(unmistakable);
/** Each of their messages has at least one of these fields. */
const readFields = new Set([
  'reads',
  'tags',
  'data',
  'tagInventoryEvent',
  'tag_reads',
  'dev_list',
  'msg_id',
  'action',
  'params',
  'BTHome_version',
  'addr',
]);

const all: readonly FrameFormat[] = Object.values(recognizable);

/** Recognizes each object of a payload by its shape. */
export const autoFrames: FrameFormat = {
  findings(frame, input) {
    for (const format of hasReadField(frame) ? unmistakableFormats : []) {
      if (format.isOwn && !format.isOwn(frame)) continue;
      const findings = format.findings(frame, input);
      if (findings) return withRssi(format, findings);
    }
    return beaconFindings(frame, input);
  },
  isStatus: (frame, input) => all.some((format) => format.isStatus(frame, input)),
};

function hasReadField(frame: Frame): boolean {
  for (const name in frame) if (readFields.has(name)) return true;
  return false;
}

const json = jsonFormat(autoFrames);

export const auto: Format = (input) => (isIngics(input.payload) ? ingics(input) : json(input));

const ofTasmota = ['Time', 'BLEDevices', 'DetailsBLE', 'IBEACON', 'RC522', 'PN532', 'RDM6300', 'Wiegand'];

/** Types by which devices mark a message as about themselves. */
const ownType = /^(?:heart_?beat|status|keep_?alive|alive|ping|online|boot|reader|gateway)$/i;

/** Reads the formats that are recognized by more than one field, since `id`, `mac` and `rssi` are common. */
function beaconFindings(frame: Frame, input: FormatInput): Finding[] | undefined {
  const has = (...names: string[]) => names.every((name) => Object.hasOwn(frame, name));
  const { april_brother, espresense, minew_g1, ruuvi, tasmota, theengs } = recognizable;
  const use = (format: FrameFormat) => withRssi(format, format.findings(frame, input));
  if (has('gw_mac')) return use(ruuvi);
  if (isAprilBrother(frame)) return use(april_brother);
  const ofDrivers = ofTasmota.some((name) => has(name)) ? use(tasmota) : undefined;
  if (ofDrivers) return ofDrivers;
  // All others are flat: what has a list has its reads there.
  if (!isFlat(frame)) return undefined;
  if (hasOwnNetwork(frame) || namesTag(frame) || hasTwoAddresses(frame)) return undefined;
  if (ownType.test(textOf(fieldOf(frame, 'type')) ?? '')) return undefined;
  if (has('mac', 'timestamp', 'rssi') && (has('type') || has('rawData') || has('no'))) return use(minew_g1);
  const isDecoded = has('mac_type') || has('model_id');
  if (has('id', 'mac', 'rssi') && (has('distance') || has('rssi@1m')) && !isDecoded) return use(espresense);
  const id = fieldOf(frame, 'id');
  const isBeacon = has('uuid', 'major', 'minor') || (typeof id === 'string' && asMac(id) !== undefined);
  return isBeacon && (has('rssi') || has('presence')) ? use(theengs) : undefined;
}

function isFlat(frame: Frame): boolean {
  for (const name in frame) if (typeof frame[name] === 'object' && frame[name] !== null) return false;
  return true;
}

/** Leaves out what a format always has a level with. */
function withRssi<Found extends readonly Finding[] | undefined>(format: FrameFormat, findings: Found): Found {
  if (!format.alwaysHasRssi || !findings) return findings;
  const isNoRead = (finding: Finding) => 'tagType' in finding && finding.value !== undefined && isWithoutLevel(finding);
  return findings.map((finding) => (isNoRead(finding) ? { noRead: true } : finding)) as unknown as Found;
}
