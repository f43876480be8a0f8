import { t } from '@lingui/core/macro';
/** The kinds of tags, beginning with the kind that a handheld most likely reads. */
export const tagTypes = [
  { value: 'barcode', label: t`Barcode` },
  { value: 'rfid', label: t`RFID` },
  { value: 'ble', label: t`BLE` },
] as const;
