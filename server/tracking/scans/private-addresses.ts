const macLength = 12;
const macShape = /^[0-9A-F]+$/i;
/** The most significant bit of an address. It is 0 in private addresses and 1 in static random ones. */
const topBit = 0x80;

/**
 * Returns whether a tag value is a BLE address whose two top bits are 00 (non-resolvable private) or 01 (resolvable
 * private). Phones and headsets change these every few minutes. The fixed addresses of some manufacturers have the same
 * bits: such a tag counts as soon as it is attached to something, or if its reader is set to count them.
 */
export function isPrivateAddress(tag: { type: string; value: string } | undefined): boolean {
  if (tag?.type !== 'ble') return false;
  const digits = tag.value.replaceAll(/[:-]/g, '');
  if (digits.length !== macLength || !macShape.test(digits)) return false;
  return (Number.parseInt(digits.slice(0, 2), 16) & topBit) === 0;
}
