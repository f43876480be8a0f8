import { cslCs463 } from './csl-cs463.js';
import type { FormatInput } from './format.js';
import type { Finding, FrameFormat } from './frame-format.js';
import { glS10 } from './gl-s10.js';
import { impinjIot } from './impinj-iot.js';
import { type Frame, fieldOf } from './json-frames.js';
import { minewG1 } from './minew-g1.js';
import { mokoMk107 } from './moko-mk107.js';
import { native } from './native.js';
import { ruuvi } from './ruuvi.js';
import { smartreader } from './smartreader.js';
import { theengs } from './theengs.js';
import { asMac, textOf } from './values.js';
import { zebraIotc } from './zebra-iotc.js';

/** Formats with unique read fields. */
const unmistakable = [native, cslCs463, zebraIotc, impinjIot, smartreader, glS10, mokoMk107];

/** Recognizes each object of a payload by its shape. */
export const auto: FrameFormat = {
  findings(frame, input) {
    for (const format of unmistakable) {
      const findings = format.findings(frame, input);
      if (findings) return findings;
    }
    return beaconFindings(frame, input);
  },
  statusFields: [...unmistakable, minewG1, ruuvi, theengs].flatMap(({ statusFields }) => statusFields),
};

/** Reads the three formats that are recognized by more than one field, since `id`, `mac` and `rssi` are common. */
function beaconFindings(frame: Frame, input: FormatInput): Finding[] | undefined {
  if (Object.hasOwn(frame, 'gw_mac')) return ruuvi.findings(frame, input);
  if (Object.hasOwn(frame, 'mac') && Object.hasOwn(frame, 'type') && Object.hasOwn(frame, 'timestamp')) {
    return minewG1.findings(frame, input);
  }
  const id = textOf(fieldOf(frame, 'id'));
  return id !== undefined && asMac(id) !== undefined ? theengs.findings(frame, input) : undefined;
}
