import { t } from '@lingui/core/macro';

export const tagTypes = [
  { value: 'rfid', label: t`RFID` },
  { value: 'ble', label: t`BLE` },
  { value: 'barcode', label: t`Barcode` },
];
