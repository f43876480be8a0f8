import type { Inputs } from '../../api/trpc.js';

export type TagType = Inputs['tags']['addToAsset']['tag_type'];

/** The kinds of tags that can be attached. */
export const tagTypes: readonly { value: TagType; label: string }[] = [
  { value: 'rfid', label: 'RFID' },
  { value: 'ble', label: 'BLE' },
  { value: 'barcode', label: 'Barcode' },
];
