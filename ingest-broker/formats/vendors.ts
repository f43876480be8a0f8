import type { ReaderFormat } from '../../server/parsing.js';
import { aprilBrotherFrames } from './april-brother.js';
import { cassia } from './cassia.js';
import { cslCs463 } from './csl-cs463.js';
import { espRfid } from './esp-rfid.js';
import { espresense } from './espresense.js';
import type { FrameFormat } from './frame-format.js';
import { glS10 } from './gl-s10.js';
import { impinjIot } from './impinj-iot.js';
import { minewG1 } from './minew-g1.js';
import { mokoMk107 } from './moko-mk107.js';
import { native } from './native.js';
import { ruuvi } from './ruuvi.js';
import { shelly } from './shelly.js';
import { smartreader } from './smartreader.js';
import { tasmota } from './tasmota.js';
import { theengs } from './theengs.js';
import { zebraIotc } from './zebra-iotc.js';

/** Formats in JSON with unique read fields. */
export const unmistakable = {
  native,
  csl_cs463: cslCs463,
  zebra_iotc: zebraIotc,
  impinj_iot: impinjIot,
  smartreader,
  gl_s10: glS10,
  moko_mk107: mokoMk107,
  cassia,
  shelly,
} as const satisfies Partial<Record<ReaderFormat, FrameFormat>>;

/** All formats in JSON that a message alone identifies, each before those that find reads in its messages too. */
export const recognizable = {
  ...unmistakable,
  april_brother: aprilBrotherFrames,
  tasmota,
  espresense,
  minew_g1: minewG1,
  theengs,
  ruuvi,
} as const satisfies Partial<Record<ReaderFormat, FrameFormat>>;

/** All formats in JSON, by their names. */
export const vendors = { ...recognizable, esp_rfid: espRfid } as const;
