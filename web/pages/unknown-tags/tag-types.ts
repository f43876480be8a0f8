/** The kinds of tags, the one a handheld most likely reads first. */
export const tagTypes = [
  { value: 'barcode', label: 'Barcode' },
  { value: 'rfid', label: 'RFID' },
  { value: 'ble', label: 'BLE' },
] as const;
