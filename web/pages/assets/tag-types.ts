import { t } from '@lingui/core/macro';
import type { Inputs } from '../../api/trpc.js';

export type TagType = Inputs['tags']['addToAsset']['tag_type'];

/** The kinds of tags that can be attached. */
export const tagTypes: readonly { value: TagType; label: string }[] = [
  { value: 'rfid', label: t`RFID` },
  { value: 'ble', label: t`BLE` },
  { value: 'barcode', label: t`Barcode` },
];
