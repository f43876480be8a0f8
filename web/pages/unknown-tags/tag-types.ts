import { t } from '@lingui/core/macro';
/** The kinds of tags, the one a handheld most likely reads first. */
export const tagTypes = [
  { value: 'barcode', label: t`Barcode` },
  { value: 'rfid', label: t`RFID` },
  { value: 'ble', label: t`BLE` },
] as const;
