import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { UserText } from './user-text.js';

const names = { rfid: t`RFID`, ble: t`BLE`, barcode: t`Barcode` } as const;

export type TagType = keyof typeof names;

/** Returns the usual name of a kind of tag. */
export function tagTypeName(type: string | null): string {
  return type !== null && type in names ? names[type as TagType] : t`Tag`;
}

export type TagBadgeProps = {
  type: string | null;
  value: string;
  size?: 'md' | 'lg';
  /** Whether a long value continues on further lines instead of being cut off. */
  isWhole?: boolean;
};

/** A tag in a list: its type and value. */
export function TagBadge({ type, value, size = 'lg', isWhole = false }: TagBadgeProps) {
  return (
    <Badge
      color="gray"
      size={size}
      miw={0}
      maw="100%"
      leftSection={tagTypeName(type)}
      {...(isWhole && { h: 'auto', py: 3 })}
      styles={{
        label: {
          fontFamily: 'var(--mantine-font-family-monospace)',
          fontWeight: 450,
          ...(isWhole && { whiteSpace: 'normal', textAlign: 'start' }),
        },
      }}
    >
      {isWhole ? <UserText>{value}</UserText> : <UserText lines={1}>{value}</UserText>}
    </Badge>
  );
}
