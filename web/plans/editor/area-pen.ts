import L from 'leaflet';
import type { Point } from '../geometry.js';

/** A rectangle with a shorter side, in pixels, counts as an accidental movement. */
const sideMinPx = 8;
const color = '#c2410c';

type PenOptions = {
  map: L.Map;
  toLatLng: (point: Point) => L.LatLng;
  pointAt: (latLng: L.LatLng) => Point;
  onDrawn: (points: readonly Point[]) => void;
};

/** Draws a rectangle from one corner to the opposite one, by mouse, pen or finger, while it is on. */
export function createAreaPen({ map, toLatLng, pointAt, onDrawn }: PenOptions) {
  const container = map.getContainer();
  let isOn = false;

  function onDown(down: PointerEvent): void {
    const isControl = down.target instanceof Element && down.target.closest('.leaflet-control') !== null;
    if (!isOn || !down.isPrimary || down.button !== 0 || isControl) return;
    const start = pointAt(map.mouseEventToLatLng(down));
    const preview = L.polygon([], { color, weight: 2, dashArray: '6 4', interactive: false }).addTo(map);
    let points: Point[] = [];
    container.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      const end = pointAt(map.mouseEventToLatLng(event));
      points = rectangleBetween(start, end);
      preview.setLatLngs(points.map(toLatLng));
    };
    const end = (event: PointerEvent) => {
      if (event.pointerId !== down.pointerId) return;
      container.removeEventListener('pointermove', move);
      container.removeEventListener('pointerup', end);
      container.removeEventListener('pointercancel', end);
      preview.remove();
      const sides = [event.clientX - down.clientX, event.clientY - down.clientY].map(Math.abs);
      if (event.type !== 'pointerup' || points.length === 0 || Math.min(...sides) < sideMinPx) return;
      ignoreClick(container);
      onDrawn(points);
    };
    container.addEventListener('pointermove', move);
    container.addEventListener('pointerup', end);
    container.addEventListener('pointercancel', end);
  }
  container.addEventListener('pointerdown', onDown);

  return {
    /** While the pen is on, the plan cannot be moved. */
    use(next: boolean): void {
      isOn = next;
      if (next) map.dragging.disable();
      else map.dragging.enable();
    },
  };
}

/** The click at the end of a drag with the mouse would deselect the new shape. It follows at once, or not at all. */
function ignoreClick(container: HTMLElement): void {
  const ignore = (event: Event) => event.stopImmediatePropagation();
  container.addEventListener('click', ignore, { capture: true, once: true });
  setTimeout(() => container.removeEventListener('click', ignore, { capture: true }));
}

function rectangleBetween([x, y]: Point, [otherX, otherY]: Point): Point[] {
  const [left, right] = [Math.min(x, otherX), Math.max(x, otherX)];
  const [top, bottom] = [Math.min(y, otherY), Math.max(y, otherY)];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}
