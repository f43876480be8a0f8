import { gtinForm } from './gtin.js';
import type { TagType } from './schemas.js';

const pairs = /^(?:0x)?[0-9a-f]{2}([ :-])(?:0x)?[0-9a-f]{2}(?:\1(?:0x)?[0-9a-f]{2})+$/i;
const fours = /^(?:0x)?[0-9a-f]{4}(?:[ :-][0-9a-f]{4})+$/i;
const prefixed = /^0x[0-9a-f]+$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=$|-[0-9]+-[0-9]+$)/i;
const macAddress = /^(?:[ :.-]?[0-9a-f]){12}$/i;

/**
 * Returns the normal form of a tag value, by which values are compared if they are not equal. The SQL function
 * `tag_normal_form` returns the same. For RFID and BLE tags it has no `0x`, and no separators if they separate bytes.
 * `1-11` and `11-1` stay different values: they can be major and minor of two beacons. For a barcode of an article it
 * is the 14-digit GTIN.
 */
export function normalForm(type: TagType, value: string): string {
  return type === 'barcode' ? upper(gtinForm(value)) : upper(withoutSeparators(type, value));
}

/** Returns the different normal forms of a text that may be the value of a tag of any type. */
export function normalForms(value: string): string[] {
  return [...new Set([normalForm('rfid', value), normalForm('ble', value), normalForm('barcode', value)])];
}

function withoutSeparators(type: TagType, value: string): string {
  if (pairs.test(value) || fours.test(value) || prefixed.test(value)) return value.replaceAll(/0x|[ :-]/gi, '');
  if (type === 'ble' && macAddress.test(value)) return value.replaceAll(/[ :.-]/g, '');
  return value.replace(uuid, (found) => found.replaceAll('-', ''));
}

/** Does the same as PostgreSQL's `upper` with the collation `C`, which only changes ASCII letters. */
function upper(value: string): string {
  return /[a-z]/.test(value) ? value.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()) : value;
}
