import { type Frame, isFrame } from './json-frames.js';

const nodesMax = 2000;
const levelName = /^(?:peak_?)?rssi(?:_?dbm|_?cdbm)?$/i;
const tagName =
  /^(?:epc|epc_?(?:id|hex)|id_?hex|tag_?id|tid|uid|rfid|card|card_?(?:id|no|number|uid)|barcode|b_?le_?addr(?:ess)?|bd_?addrs?|address|beacon_?id)$/i;

/** Beside a level, these say that it is the one of the device's own network. */
const ownNetwork = /^(?:ssid|bssid|ip|private_ip|uptime|net_\w+|wifi\w*|firm|ver|version|free_?(?:heap|mem)|uplink)$/i;

/**
 * Returns whether an object could hold a read of some device: a field that is named like an identifier of a tag, or a
 * level beside any text. A message that resembles a read is never taken for a status, so that people see it.
 */
export function resemblesRead(frame: Frame): boolean {
  const waiting: unknown[] = [frame];
  for (let nodes = 0; waiting.length > 0 && nodes < nodesMax; nodes += 1) {
    const value = waiting.pop();
    if (Array.isArray(value)) {
      for (const item of value.slice(0, nodesMax)) waiting.push(item);
    } else if (isFrame(value)) {
      const entries = Object.entries(value);
      if (namesTag(value)) return true;
      const isOwn = hasOwnNetwork(value);
      if (entries.some(([key]) => levelName.test(key)) && entries.length > 1 && !isOwn) return true;
      for (const [, inner] of entries) if (typeof inner === 'object') waiting.push(inner);
    }
  }
  return false;
}

/** Returns whether an object has a field that is named like an identifier of a tag. */
export function namesTag(frame: Frame): boolean {
  return Object.entries(frame).some(([key, value]) => tagName.test(key) && value !== null && value !== '');
}

/** Returns whether an object has fields of a device's own network, so that its level is the one of that network. */
export function hasOwnNetwork(frame: Frame): boolean {
  return Object.keys(frame).some((key) => ownNetwork.test(key));
}
