const macLength = 12;
const macShape = /^[0-9A-F]+$/i;
/** The most significant bit of an address. Private addresses do not have it, static random ones do. */
const topBit = 0x80;

/**
 * Whether a tag value is a BLE address whose two top bits are 00 (non-resolvable private) or 01 (resolvable private). Phones
 * and headsets change these every few minutes. Some manufacturers' fixed addresses have the same bits: such a tag counts as
 * soon as it is attached to something, or where its reader is set to count them.
 */
export function isPrivateAddress(tag: { type: string; value: string } | undefined): boolean {
  if (tag?.type !== 'ble') return false;
  const digits = tag.value.replaceAll(/[:-]/g, '');
  if (digits.length !== macLength || !macShape.test(digits)) return false;
  return (Number.parseInt(digits.slice(0, 2), 16) & topBit) === 0;
}
