import { t } from '@lingui/core/macro';
import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { numberText } from '../ui/quantity.js';

/** `name` is the name of its values in each bar; the legend shows `label`, or the name. */
export type Series = { name: string; label?: string; color: string };

export type BarPictureProps = {
  /** What the picture shows, for people who cannot see it; the table has the numbers. */
  caption: string;
  /** Each entry is one bar or group of bars; `label` is on the axis. */
  bars: readonly ({ label: string } & Record<string, string | number>)[];
  series: readonly Series[];
  /** The unit of the values: "Hours". */
  unit: string;
  /** What the bars are: "Location". */
  axis: string;
  /** Whether the bars are horizontal, for long labels. */
  isHorizontal?: boolean;
  isStacked?: boolean;
  /** In pixels. */
  height: number;
};

const labelWidth = 150;

/** The bars of a chart, with named axes and a legend. */
export function BarPicture(props: BarPictureProps) {
  const { caption, bars, series, unit, axis, isHorizontal = false, isStacked = false, height } = props;
  return (
    <div role="img" aria-label={t`${caption}. The table below has the numbers.`}>
      <BarChart
        h={height}
        data={[...bars]}
        dataKey="label"
        series={[...series]}
        type={isStacked ? 'stacked' : 'default'}
        orientation={isHorizontal ? 'vertical' : 'horizontal'}
        xAxisLabel={isHorizontal ? unit : axis}
        yAxisLabel={isHorizontal ? axis : unit}
        withLegend={series.length > 1}
        withBarValueLabel={isHorizontal && series.length === 1}
        valueFormatter={(value) => numberText(Math.round(10 * value) / 10)}
        {...(isHorizontal && { yAxisProps: { width: labelWidth, interval: 0 } })}
        barChartProps={{ accessibilityLayer: false }}
        barProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
