import type { ReaderFormat } from '../../server/parsing.js';
import { aprilBrother } from './april-brother.js';
import { auto } from './auto.js';
import { cassia } from './cassia.js';
import { cslCs463 } from './csl-cs463.js';
import { espRfid } from './esp-rfid.js';
import { espresense } from './espresense.js';
import type { Format } from './format.js';
import { jsonFormat } from './frame-format.js';
import { glS10 } from './gl-s10.js';
import { impinjIot } from './impinj-iot.js';
import { ingics } from './ingics.js';
import { mapped } from './mapped.js';
import { minewG1 } from './minew-g1.js';
import { mokoMk107 } from './moko-mk107.js';
import { native } from './native.js';
import { ruuvi } from './ruuvi.js';
import { shelly } from './shelly.js';
import { smartreader } from './smartreader.js';
import { tasmota } from './tasmota.js';
import { text } from './text.js';
import { theengs } from './theengs.js';
import { zebraIotc } from './zebra-iotc.js';

/** The parser of each format that a reader can be set to; one that is missing here does not compile. */
export const formats: Readonly<Record<ReaderFormat, Format>> = {
  auto,
  native: jsonFormat(native),
  csl_cs463: jsonFormat(cslCs463),
  zebra_iotc: jsonFormat(zebraIotc),
  impinj_iot: jsonFormat(impinjIot),
  smartreader: jsonFormat(smartreader),
  gl_s10: jsonFormat(glS10),
  moko_mk107: jsonFormat(mokoMk107),
  minew_g1: jsonFormat(minewG1),
  ruuvi: jsonFormat(ruuvi),
  theengs: jsonFormat(theengs),
  tasmota: jsonFormat(tasmota),
  espresense: jsonFormat(espresense),
  shelly: jsonFormat(shelly),
  cassia: jsonFormat(cassia),
  april_brother: aprilBrother,
  ingics,
  esp_rfid: jsonFormat(espRfid),
  text,
  mapped,
};
