import { type Frame, isFrame } from '../formats/json-frames.js';

/** A value in an object: the keys on the way to it, and its last key. */
export type Field = { path: readonly string[]; key: string; value: unknown };

/** Objects in an object that are looked into. */
const stepsMax = 2;
const fieldsMax = 500;

/** Things that are no tag, although they have addresses and names: places, and devices that receive tags. */
const other =
  /gateway|^gw|gw_|_gw|^g_?mac|^device_?info$|reader|reporter|receiver|scanner|station|host|anchor|^ap(?:_|$)|locat|place|zone|room|area|site|floor|building|bssid|ssid|network|wifi|user|owner|^(?:ip|src|dst)$/i;
/** Parts of an advertisement or of a packet, and names that people give. */
const content = /adv|raw|payload|parsed|manufacturer|service|^data$|name/i;
/** Objects that have only parts of an advertisement. */
const ofAdvertisement = /^adv|parsed|manufacturer|service/i;

/** Returns whether a list or an object with this name has tags in it, and nothing else that has identifiers. */
export function mayHoldTags(name: string): boolean {
  return !other.test(name) && !ofAdvertisement.test(name);
}

/** Returns the values of an object and of the objects in it that may be about a tag, those with the fewest steps first. */
export function fieldsOf(item: Frame): Field[] {
  const fields: Field[] = [];
  let level: Field[] = [{ path: [], key: '', value: item }];
  for (let step = 0; step <= stepsMax; step += 1) {
    const next: Field[] = [];
    for (const { path, value } of level) {
      for (const [key, inner] of Object.entries(value as Frame)) {
        if (fields.length >= fieldsMax || !mayHoldTags(key)) continue;
        const field = { path: [...path, key], key, value: inner };
        fields.push(field);
        if (isFrame(inner)) next.push(field);
      }
    }
    level = next;
  }
  return fields;
}

/** Returns whether a field may have the identifier of a tag. */
export function mayIdentify({ path, value }: Field): boolean {
  const isScalar = (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
  return isScalar && path.every((key, index) => index < path.length - 1 || !content.test(key));
}

/** Returns the expression of keys one below the other. */
export function expressionOf(path: readonly string[]): string {
  return path.map((key) => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key))).join('.');
}
