import L from 'leaflet';
import type { Point } from './geometry.js';
import { type PlanMap, prefersReducedMotion } from './plan-map.js';
import classes from './plans.module.css';

/** A move to show: from one point to another; null if the asset was, or is, not on the plan. */
export type DotMove = { from: Point | null; to: Point | null; label: string; color: string | null };

export type MovingDots = {
  /** Shows moves; all moves within one frame are shown together. */
  show(moves: readonly DotMove[]): void;
  remove(): void;
};

const travelMs = 1400;
const restMs = 600;
/** Further moves are not shown until earlier ones have ended. */
const dotsMax = 150;
const paneName = 'moves';
const paneZ = '640';

/**
 * Moves dots over a plan by transforms that the browser animates without scripts. Where people want less motion, a dot appears
 * at its destination and disappears.
 */
export function createMovingDots({ map, toLatLng }: PlanMap): MovingDots {
  const pane = map.getPane(paneName) ?? map.createPane(paneName);
  pane.style.zIndex = paneZ;
  pane.style.pointerEvents = 'none';
  const waiting: DotMove[] = [];
  let frame: number | undefined;

  const clear = () => pane.replaceChildren();
  // A zoom changes the points of the layer.
  map.on('zoomstart', clear);

  function flush(): void {
    frame = undefined;
    const free = Math.max(0, dotsMax - pane.childElementCount);
    const starts = waiting.splice(0).slice(0, free).map(prepare);
    const dots = document.createDocumentFragment();
    for (const { dot } of starts) dots.append(dot);
    pane.append(dots);
    for (const { start } of starts) start();
  }

  function prepare({ from, to, label, color }: DotMove): { dot: HTMLElement; start: () => void } {
    const dot = document.createElement('div');
    dot.className = classes['dot'] ?? '';
    dot.dataset['asset'] = label;
    if (color !== null) dot.style.backgroundColor = `var(--mantine-color-${color}-6)`;
    const [first, last] = [transformAt(from ?? to), transformAt(to ?? from)];
    const isStill = prefersReducedMotion() || from === null || to === null;
    const start = isStill ? last : first;
    dot.style.transform = start;
    const frames: Keyframe[] = isStill
      ? [
          { transform: start, opacity: to === null ? 1 : 0 },
          { transform: start, opacity: 1, offset: 0.3 },
          { transform: start, opacity: 0 },
        ]
      : [
          { transform: first, opacity: 0.9, easing: 'ease-in-out' },
          { transform: last, opacity: 1, offset: travelMs / (travelMs + restMs) },
          { transform: last, opacity: 0 },
        ];
    return {
      dot,
      start() {
        const animation = dot.animate(frames, { duration: travelMs + restMs, fill: 'forwards' });
        animation.addEventListener('finish', () => dot.remove());
      },
    };
  }

  function transformAt(point: Point | null): string {
    const { x, y } = point ? map.latLngToLayerPoint(toLatLng(point)) : L.point(0, 0);
    return `translate3d(${x}px, ${y}px, 0)`;
  }

  return {
    show(moves) {
      if (document.visibilityState !== 'visible') return;
      waiting.push(...moves.filter(({ from, to }) => from !== null || to !== null));
      if (waiting.length > dotsMax) waiting.splice(0, waiting.length - dotsMax);
      if (waiting.length > 0) frame ??= requestAnimationFrame(flush);
    },
    remove() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      map.off('zoomstart', clear);
      clear();
    },
  };
}
