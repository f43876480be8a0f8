import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { UserText } from './user-text.js';

const names = { rfid: t`RFID`, ble: t`BLE`, barcode: t`Barcode` } as const;

export type TagType = keyof typeof names;

/** The field's name of a kind of tag. */
export function tagTypeName(type: string | null): string {
  return type !== null && type in names ? names[type as TagType] : t`Tag`;
}

/** A tag in a list: its type and value. */
export function TagBadge({ type, value, size = 'lg' }: { type: string | null; value: string; size?: 'md' | 'lg' }) {
  return (
    <Badge
      color="gray"
      size={size}
      miw={0}
      maw="100%"
      leftSection={tagTypeName(type)}
      styles={{ label: { fontFamily: 'var(--mantine-font-family-monospace)', fontWeight: 450 } }}
    >
      <UserText lines={1}>{value}</UserText>
    </Badge>
  );
}
