import { type Frame, isFrame } from './json-frames.js';
import { asMac, hexText } from './values.js';

const nodesMax = 2000;
const textLengthMax = 64;
const levelName = /^(?:peak_?)?rssi(?:_?dbm|_?cdbm)?$/i;
const tagName =
  /^(?:(?:epc|tag|card|badge|beacon|barcode|transponder|rfid)(?:s|_?(?:id|uid|hex|no|number|code|value|list))?|id_?hex|tid|uid|ean|gtin|b_?le_?addr(?:ess)?|bd_?addrs?|addr(?:ess)?)$/i;

/** Beside a level, these say that it is the one of the device's own network. */
const ownNetwork =
  /^(?:ssid|bssid|ip|private_ip|uptime|net_\w+|wifi\w*|firm|fw|firmware|ver|version|(?:free_?)?(?:heap|mem)|uplink)$/i;
/** Fields that have an address of the device itself or of its connection, if the object is no item of a list. */
const ownAddress = /mac|bssid|gateway|gw|host|client|reader|handle|src|dst|serial|^id$|_id$/i;
/** Fields that name the device that has received a tag. */
const receiver = /gateway|gw|reader|receiver|scanner|host|node|src|source|station|parent|^ap/i;
/** Fields whose content may have the length of an address. */
const content = /data|raw|adv|payload|name/i;
/** EPCs of 96 bits, and longer EPCs that are not as long as a hash or a UUID. */
const epc = /^[0-9A-F]{24,28}$/;

type Node = { key: string; value: unknown; isListed: boolean };

/**
 * Returns whether an object could hold a read of some device: a field that is named like an identifier of a tag or has the
 * value of one, or a level beside any text. A message that resembles a read is never taken for a status, so that people
 * see it.
 */
export function resemblesRead(frame: Frame): boolean {
  const waiting: Node[] = [{ key: '', value: frame, isListed: false }];
  for (let nodes = 0; nodes < nodesMax; nodes += 1) {
    const node = waiting.pop();
    if (!node) return false;
    const { key, value, isListed } = node;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, nodesMax)) waiting.push({ key, value: item, isListed: true });
    } else if (isFrame(value)) {
      if (namesTag(value) || hasLevel(value, key)) return true;
      for (const [name, inner] of Object.entries(value)) waiting.push({ key: name, value: inner, isListed });
    } else if (isIdentifier(node)) return true;
  }
  return false;
}

/** Digits of an identifier, hexadecimal or decimal. */
const identifierInText = /(?<![0-9A-Z])(?=[0-9A-F]*\d)[0-9A-F]{4,}(?![0-9A-Z])|(?:[0-9A-F]{2}[ :-]){3}[0-9A-F]{2}/i;
const searchedMax = 1024;

/** Returns whether a text that is no JSON could hold a read of some device: it has digits like those of an identifier. */
export function textResemblesRead(text: string): boolean {
  return identifierInText.test(text.slice(0, searchedMax));
}

function hasLevel(frame: Frame, key: string): boolean {
  const names = Object.keys(frame);
  return (
    names.some((name) => levelName.test(name)) && names.length > 1 && !hasOwnNetwork(frame) && !ownNetwork.test(key)
  );
}

function isIdentifier({ key, value, isListed }: Node): boolean {
  if (typeof value !== 'string' || value.length > textLengthMax) return false;
  if (epc.test(hexText(value))) return true;
  return (
    addressIn(value) !== undefined && !content.test(key) && (isListed ? !/bssid/i.test(key) : !ownAddress.test(key))
  );
}

/** Returns a value that is a MAC address. Twelve decimal digits are a number, unless they are divided. */
export function addressIn(value: unknown): string | undefined {
  return typeof value === 'string' && /[A-F:-]/i.test(value) ? asMac(value) : undefined;
}

/** Returns whether an object has a field that is named like an identifier of a tag. */
export function namesTag(frame: Frame): boolean {
  for (const key in frame) if (tagName.test(key) && hasContent(frame[key])) return true;
  return false;
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return typeof value === 'string' ? value !== '' : typeof value === 'number' && value !== 0;
}

/** Returns whether an object has fields of a device's own network, so that its level is the one of that network. */
export function hasOwnNetwork(frame: Frame): boolean {
  for (const key in frame) if (ownNetwork.test(key)) return true;
  return false;
}

/** Returns whether an object has the addresses of two devices, and no name says which device has received the other. */
export function hasTwoAddresses(frame: Frame): boolean {
  let first: string | undefined;
  for (const key in frame) {
    const address = addressIn(frame[key]);
    if (address === undefined || address === first || content.test(key) || receiver.test(key)) continue;
    if (first !== undefined) return true;
    first = address;
  }
  return false;
}
