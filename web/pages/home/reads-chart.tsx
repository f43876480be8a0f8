import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

type Slot = { at: string; reads: number };

/** The line of reads over a day, in the colours of the page, which a canvas does not follow by itself. */
export function ReadsChart({ slots }: { slots: readonly Slot[] }) {
  return <Chart key={useComputedColorScheme('light')} slots={slots} />;
}

function Chart({ slots }: { slots: readonly Slot[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const latest = useRef(slots);

  useEffect(() => {
    latest.current = slots;
    chart.current?.setData(dataOf(slots));
  }, [slots]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const made = draw(element, latest.current);
    chart.current = made;
    // The page takes its other colours after this.
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

function dataOf(slots: readonly Slot[]): uPlot.AlignedData {
  return [slots.map(({ at }) => Date.parse(at) / 1000), slots.map(({ reads }) => reads)];
}

function draw(element: HTMLElement, slots: readonly Slot[]): uPlot {
  const colour = () => getComputedStyle(element).color;
  return new uPlot(
    {
      width: element.clientWidth,
      height: element.clientHeight,
      legend: { show: false },
      cursor: { show: false },
      padding: [4, 0, 2, 0],
      axes: [{ show: false }, { show: false }],
      scales: { y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
      series: [
        {},
        {
          stroke: colour,
          width: 1.5,
          fill: () => `color-mix(in srgb, ${colour()} 18%, transparent)`,
          points: { show: false },
        },
      ],
    },
    dataOf(slots),
    element,
  );
}
