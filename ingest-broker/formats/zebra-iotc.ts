import { type Finding, type FrameFormat, listFindings } from './frame-format.js';
import { type Frame, fieldOf, isFrame } from './json-frames.js';
import { epochOf, hexOf, identifierOf, textOf } from './values.js';

/**
 * Zebra IoT Connector. Fixed readers send one tag per object. The sleds RFD40 and RFD90 send lists of tags and of
 * barcodes. Facts: zebradevs.github.io/rfid-ziotc-docs for the fixed readers; Zebra's description of the connector for
 * RFD40 and RFD90 (techdocs.zebra.com) for the sleds.
 */
export const zebraIotc: FrameFormat = {
  findings(frame) {
    const data = fieldOf(frame, 'data');
    if (!isFrame(data)) return undefined;
    const timeMs = epochOf(fieldOf(frame, 'timestamp'), 'ms');
    if (Object.hasOwn(data, 'tagData') || Object.hasOwn(data, 'barcodeData')) return sledFindings(data, timeMs);
    if (!Object.hasOwn(data, 'idHex')) return undefined;
    return [
      {
        tagType: 'rfid',
        value: epcOf(data, ['idHex']),
        path: 'data.idHex',
        antenna: fieldOf(data, 'antenna'),
        rssi: fieldOf(data, 'peakRssi'),
        timeMs,
        item: data,
      },
    ];
  },
  isStatus(frame) {
    if (isSledStatus(frame) || isGpi(frame)) return true;
    const data = fieldOf(frame, 'data');
    if (!isFrame(data)) return false;
    if (isGpi(data)) return true;
    if (/^heartbeat$/i.test(textOf(fieldOf(frame, 'type')) ?? '') && Object.hasOwn(frame, 'timestamp')) return true;
    return Object.hasOwn(frame, 'component') && (Object.hasOwn(frame, 'eventType') || Object.hasOwn(frame, 'eventNum'));
  },
  sideTopics: ['*/*/clients/rfid/*', '*/*/clients/event/*'],
};

/** The connection, the heartbeat and the alerts of a sled. */
function isSledStatus(frame: Frame): boolean {
  const has = (...names: string[]) => names.every((name) => Object.hasOwn(frame, name));
  return (
    has('connectionState', 'deviceModel') ||
    (fieldOf(frame, 'eventName') === 'heartbeat' && has('uptime')) ||
    has('alertDetails', 'priority')
  );
}

/**
 * The state of an input of the reader, which comes to the topic of the tags in the envelope of the connector, and without
 * it from Zebra's app (`ZebraDevs/RFID_ZIOTC_Examples`).
 */
function isGpi(frame: Frame): boolean {
  return Object.hasOwn(frame, 'pin') && /^(?:HIGH|LOW)$/i.test(textOf(fieldOf(frame, 'state')) ?? '');
}

function sledFindings(data: Frame, timeMs: number | null): Finding[] {
  const tags = listFindings(data, 'tagData', (tag, path) => ({
    tagType: 'rfid',
    value: epcOf(tag, ['EPCid', 'idHex', 'EPC']),
    path: `data.${path}.EPCid`,
    antenna: fieldOf(tag, 'antenna'),
    rssi: fieldOf(tag, 'peakRssi'),
    timeMs: epochOf(fieldOf(tag, 'timestamp'), 'ms') ?? timeMs,
  }));
  const barcodes = listFindings(data, 'barcodeData', (barcode, path) => ({
    tagType: 'barcode',
    value: identifierOf(fieldOf(barcode, 'decodedBarcode')),
    path: `data.${path}.decodedBarcode`,
    timeMs,
  }));
  return [...(tags ?? []), ...(barcodes ?? [])];
}

function epcOf(tag: Frame, names: readonly string[]): unknown {
  const found = names.map((name) => hexOf(fieldOf(tag, name)));
  return found.find((epc) => typeof epc === 'string' && epc !== '') ?? found.find((epc) => epc !== undefined);
}
