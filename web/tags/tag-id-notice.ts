import { t } from '@lingui/core/macro';

const hexadecimal = /^(?:0x)?[0-9a-f](?:[ :.-]?[0-9a-f])*$/i;

/**
 * Returns a warning if readers are unlikely to report the ID of an RFID or BLE tag; undefined for other IDs and for
 * barcodes.
 */
export function tagIdNotice(type: string, value: string): string | undefined {
  const text = value.trim();
  if (type === 'barcode' || text === '' || hexadecimal.test(text)) return undefined;
  return t`Not hexadecimal. Keep it only if your readers report it like this.`;
}
