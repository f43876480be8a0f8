import { advertisedTelemetry } from './advertisement.js';
import { type Finding, type FrameFormat, listFindings } from './frame-format.js';
import { type Frame, fieldOf, isFrame } from './json-frames.js';
import { epochOf, macOf, numberOf } from './values.js';

/** Scanned devices: 3004 on the MK107 and MK110, 3070 on the MKGW series, MK107 Pro and MK110 Plus. */
const scanMessages = [3004, 3070];
/** Names of the advertisement, which differ by firmware. */
const contents = ['adv_data', 'adv_packet', 'raw', 'raw data'];
/** Messages of the gateway; 1000 and above answer commands, 3000 and above are notifications. */
const messagesMin = 1000;
const messagesMax = 4999;

/**
 * MOKO BLE gateways: a list of devices. Older ones have the device in `value` with a time in a notation of their own,
 * so that the time of receipt counts; the present ones have it flat with epoch milliseconds. On the latter, 3004 is the network state. Facts: MOKO's
 * published apps (`MKScannerPro/POE_Gateway_MKGW3_iOS`, `MKScannerPro/USB-Gateway-MKGW7_IOS` and relatives).
 */
export const mokoMk107: FrameFormat = {
  findings(frame) {
    if (!scanMessages.includes(numberOf(fieldOf(frame, 'msg_id')) ?? 0)) return undefined;
    if (isFrame(fieldOf(frame, 'data'))) return undefined;
    return listFindings(frame, 'data', findingOf);
  },
  isStatus(frame) {
    const id = numberOf(fieldOf(frame, 'msg_id')) ?? 0;
    const hasList = Array.isArray(fieldOf(frame, 'data'));
    return id >= messagesMin && id <= messagesMax && isFrame(fieldOf(frame, 'device_info')) && !hasList;
  },
  alwaysHasRssi: true,
};

function findingOf(item: Frame, path: string): Finding {
  const value = fieldOf(item, 'value');
  if (value !== undefined && !isFrame(value)) return { flaw: `${path}.value is not an object` };
  const device = value ?? item;
  return {
    tagType: 'ble',
    value: macOf(fieldOf(device, 'mac')),
    path: value ? `${path}.value.mac` : `${path}.mac`,
    rssi: fieldOf(device, 'rssi'),
    timeMs: value ? 'unused' : epochOf(fieldOf(device, 'timestamp'), 'ms'),
    telemetry: advertisedTelemetry(contents.map((name) => fieldOf(device, name)).find(Boolean)),
  };
}
