import type { FrameFormat } from './frame-format.js';
import { fieldOf, isFrame } from './json-frames.js';
import { dateTimeOf, hexText, textOf } from './values.js';

/** Zebra IoT Connector: one tag per object. Heartbeats and GPI events have no `idHex`. */
export const zebraIotc: FrameFormat = {
  findings(frame) {
    const data = fieldOf(frame, 'data');
    if (!isFrame(data) || !Object.hasOwn(data, 'idHex')) return undefined;
    const idHex = textOf(fieldOf(data, 'idHex'));
    return [
      {
        tagType: 'rfid',
        value: idHex === undefined ? undefined : hexText(idHex),
        path: 'data.idHex',
        antenna: fieldOf(data, 'antenna'),
        rssi: fieldOf(data, 'peakRssi'),
        timeMs: dateTimeOf(fieldOf(frame, 'timestamp')),
      },
    ];
  },
  statusFields: ['type', 'timestamp', 'component', 'eventType', 'eventNum'],
};
