import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { numberText } from '../../ui/quantity.js';
import { When } from '../../ui/when.js';

type Values = Outputs['assets']['telemetry']['tags'][number]['values'];
type Quantity = keyof Values;

const pressNames: Readonly<Record<number, string>> = {
  1: t`Button pressed`,
  2: t`Button pressed twice`,
  3: t`Button pressed three times`,
  4: t`Button held down`,
};

const texts: Record<Quantity, (value: number) => string> = {
  battery: (percent) => t`Battery ${numberText(percent)} %`,
  voltage: (volts) => t`Battery ${numberText(rounded(volts, 2))} V`,
  temperature: (degrees) => t`Temperature ${numberText(rounded(degrees, 1))} °C`,
  humidity: (percent) => t`Humidity ${numberText(rounded(percent, 1))} %`,
  motion: (isMoving) => (isMoving === 1 ? t`In motion` : t`Not in motion`),
  movements: (count) => t`Movement counter ${numberText(count)}`,
  button: (press) => pressNames[press] ?? t`Button pressed`,
};

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The last values that a tag measured, each with its age. */
export function TagValues({ values }: { values: Values | undefined }) {
  return (Object.keys(texts) as Quantity[]).map((quantity) => {
    const last = values?.[quantity];
    return (
      last && (
        <Text key={quantity} size="sm" c="dimmed">
          {texts[quantity](last.value)} · <When at={last.at} />
        </Text>
      )
    );
  });
}
