import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { epcOf } from '../tags/epc.js';
import { UserText } from './user-text.js';

/** What the EPC of an RFID tag identifies, such as its GTIN and serial number; renders nothing for any other tag. */
export function EpcText({ type, value }: { type: string | null; value: string }) {
  const epc = type === 'rfid' ? epcOf(value) : undefined;
  if (!epc) return null;
  const { kind, number, serial } = epc;
  return (
    <Text size="xs" c="dimmed" title={epc.uri}>
      <UserText>{serial === undefined ? `${kind} ${number}` : t`${kind} ${number}, serial number ${serial}`}</UserText>
    </Text>
  );
}
