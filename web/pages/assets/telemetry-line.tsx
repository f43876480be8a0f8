import { t } from '@lingui/core/macro';
import { LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { startOfDay, useFormats } from '../../ui/formats.js';
import { numberText } from '../../ui/quantity.js';

const dayMs = 86_400_000;
const days = 30;
const tickDays = [24, 16, 8, 0];
/** The line is interrupted where there is no value for this long. */
const gapMs = dayMs;
const height = 110;

type Point = { atMs: number; value: number | null };

type TelemetryLineProps = {
  quantity: 'battery' | 'voltage' | 'temperature' | 'humidity';
  points: readonly { atMs: number; value: number }[];
};

const captions = {
  battery: (range: string) => t`Battery, ${range} %`,
  voltage: (range: string) => t`Battery, ${range} V`,
  temperature: (range: string) => t`Temperature, ${range} °C`,
  humidity: (range: string) => t`Humidity, ${range} %`,
};

/**
 * The values of one quantity that a tag measured in the last 30 days, one value an hour, with the lowest and the
 * highest value.
 */
export function TelemetryLine({ quantity, points }: TelemetryLineProps) {
  const { dateTime, weekday } = useFormats();
  const digits = quantity === 'voltage' ? 2 : 1;
  const text = (value: number) => numberText(Number(value.toFixed(digits)));
  const values = points.map(({ value }) => value);
  const [least, most] = [text(Math.min(...values)), text(Math.max(...values))];
  const caption = captions[quantity](least === most ? least : t`${least} to ${most}`);
  const isPercent = quantity === 'battery' || quantity === 'humidity';
  const [nowMs] = useState(Date.now);
  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" size="sm">
        {caption}
      </Text>
      <div role="img" aria-label={t`${caption} in the last 30 days`}>
        <LineChart
          h={height}
          data={interrupted(points)}
          dataKey="atMs"
          series={[{ name: 'value', label: caption, color: 'blue.6' }]}
          curveType="linear"
          connectNulls={false}
          // A value between two gaps has no line.
          dotProps={{ r: 1.5, strokeWidth: 0 }}
          valueFormatter={text}
          yAxisProps={{ width: 'auto', domain: isPercent ? [0, 100] : ['auto', 'auto'], tickCount: 3 }}
          xAxisProps={{
            type: 'number',
            domain: [nowMs - days * dayMs, nowMs],
            ticks: tickDays.map((count) => startOfDay(nowMs - count * dayMs)),
            tickFormatter: (atMs: number) => weekday.format(atMs),
          }}
          // Without a point under the pointer there is no label.
          tooltipProps={{ labelFormatter: (label) => (typeof label === 'number' ? dateTime.format(label) : '') }}
          // Mantine draws the numbers this many pixels to the left of the axis that Recharts has measured.
          lineChartProps={{ accessibilityLayer: false, margin: { left: 10 } }}
          lineProps={{ isAnimationActive: false }}
        />
      </div>
    </Box>
  );
}

/** Returns the points, with an additional point without a value in each gap. */
function interrupted(points: TelemetryLineProps['points']): Point[] {
  return points.flatMap((point, index): Point[] => {
    const before = points[index - 1];
    return before && point.atMs - before.atMs > gapMs ? [{ atMs: before.atMs + 1, value: null }, point] : [point];
  });
}
