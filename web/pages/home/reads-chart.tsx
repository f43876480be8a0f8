import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { formats, useFormats } from '../../ui/formats.js';
import { marksBetween } from './time-marks.js';

type Interval = { at: string; reads: number };

/** The reads of a day over time. */
export function ReadsChart({ intervals }: { intervals: readonly Interval[] }) {
  const { clock } = useFormats();
  const points = intervals.map(({ at, reads }) => ({ atMs: Date.parse(at), reads }));
  const compact = new Intl.NumberFormat(formats().locale, { notation: 'compact' });
  return (
    <AreaChart
      h="100%"
      data={points}
      dataKey="atMs"
      series={[{ name: 'reads', color: 'petrol.6' }]}
      curveType="linear"
      withDots={false}
      withTooltip={false}
      valueFormatter={(reads) => compact.format(reads)}
      yAxisProps={{ width: 'auto', tickCount: 4, allowDecimals: false }}
      xAxisProps={{
        type: 'number',
        domain: ['dataMin', 'dataMax'],
        ticks: marksBetween(points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0),
        tickFormatter: (atMs: number) => clock.format(atMs),
      }}
      // Mantine draws the numbers this many pixels to the left of the axis that Recharts has measured.
      areaChartProps={{ accessibilityLayer: false, margin: { left: 10 } }}
      areaProps={{ isAnimationActive: false }}
    />
  );
}
