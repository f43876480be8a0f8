export const tagTypes = ['rfid', 'ble', 'barcode'] as const;

/** Returns the form of a value in which the service compares values that match no stored value exactly. */
export function looseForm(type: string, value: string): string {
  return type === 'ble' ? value.replaceAll(/[:-]/g, '').toUpperCase() : value.toUpperCase();
}
