import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formats, shownTimeZone, useFormats } from '../../ui/formats.js';

type Interval = { at: string; reads: number };

/** The reads of a day over time, in the colors of the page, which a canvas does not follow by itself. */
export function ReadsChart({ intervals }: { intervals: readonly Interval[] }) {
  const { version } = useFormats();
  return <Chart key={`${useComputedColorScheme('light')} ${version}`} intervals={intervals} />;
}

function Chart({ intervals }: { intervals: readonly Interval[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const latest = useRef(intervals);

  useEffect(() => {
    latest.current = intervals;
    chart.current?.setData(dataOf(intervals));
  }, [intervals]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const made = draw(element, latest.current);
    chart.current = made;
    // The page takes its other colors after this.
    const frameId = requestAnimationFrame(() => made.redraw());
    const observer = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frameId);
      observer.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, []);

  return <div ref={frame} style={{ height: '100%' }} />;
}

function dataOf(intervals: readonly Interval[]): uPlot.AlignedData {
  return [intervals.map(({ at }) => Date.parse(at) / 1000), intervals.map(({ reads }) => reads)];
}

const axisFont = '11px system-ui, sans-serif';

function draw(element: HTMLElement, intervals: readonly Interval[]): uPlot {
  const color = () => getComputedStyle(element).color;
  const variable = (name: string) => getComputedStyle(element).getPropertyValue(name);
  const { clock } = formats();
  const compact = new Intl.NumberFormat(formats().locale, { notation: 'compact' });
  const axis: uPlot.Axis = {
    stroke: () => variable('--mantine-color-dimmed'),
    font: axisFont,
    ticks: { show: true, size: 4, width: 1, stroke: () => variable('--whereabouts-line') },
    grid: { width: 1, stroke: () => variable('--whereabouts-line') },
  };
  return new uPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 8, 0, 0],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), shownTimeZone()),
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          space: 60,
          incrs: [3600, 7200, 10_800, 21_600, 43_200],
          values: (_, seconds) => seconds.map((second) => clock.format(second * 1000)),
        },
        {
          ...axis,
          size: 44,
          space: 32,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7, 1e8],
          values: (_, counts) => counts.map((count) => compact.format(count)),
        },
      ],
      scales: { y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
      series: [
        {},
        {
          stroke: color,
          width: 1.5,
          fill: () => `color-mix(in srgb, ${color()} 18%, transparent)`,
          points: { show: false },
        },
      ],
    },
    dataOf(intervals),
    element,
  );
}
