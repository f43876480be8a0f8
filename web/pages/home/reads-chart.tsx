import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { formats, startOfDay, useFormats } from '../../ui/formats.js';

type Interval = { at: string; reads: number };

const markMs = 6 * 3_600_000;

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
      yAxisProps={{ width: 44, tickCount: 4, allowDecimals: false }}
      xAxisProps={{
        type: 'number',
        domain: ['dataMin', 'dataMax'],
        ticks: points.flatMap(({ atMs }) => ((atMs - startOfDay(atMs)) % markMs === 0 ? [atMs] : [])),
        tickFormatter: (atMs: number) => clock.format(atMs),
      }}
      areaChartProps={{ accessibilityLayer: false }}
      areaProps={{ isAnimationActive: false }}
    />
  );
}
