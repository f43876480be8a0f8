import { t } from '@lingui/core/macro';
import L from 'leaflet';
import type { Outputs } from '../api/trpc.js';
import { numberText, quantity } from '../ui/quantity.js';
import { areaOf, boundsOf, centerOf, heightAbove, labelPointOf, outlinesWithin, type Point } from './geometry.js';
import { levelOf } from './levels.js';
import { createMovingDots } from './moving-dots.js';
import { layoutOfLabel } from './label-layout.js';
import { createPlanMap, labelIcon, type PlanImage } from './plan-map.js';
import classes from './plans.module.css';

export type Plan = NonNullable<Outputs['floorPlans']['get']>;
export type PlanShape = Plan['shapes'][number];
export type PlanReader = Outputs['floorPlans']['state']['readers'][number];

/** An asset that came from one location to another, whether the plan shows them or not. */
/** A move; `color` is the color of the asset's kind. */
export type PlanMove = {
  assetName: string;
  color?: string | null;
  fromLocationId: number | null;
  toLocationId: number | null;
};

/** An asset that is marked at one of the plan's shapes. */
export type PlanPin = { shapeLocationId: number; label: string };

/** Assets by location on the plan, sublocations included. */
export type PlanCounts = ReadonlyMap<number, number>;

export type PlanDrawing = {
  showCounts(counts: PlanCounts): void;
  showReaders(readers: readonly (PlanReader & { statusName: string })[]): void;
  showPin(pin: PlanPin | null): void;
  showMoves(moves: readonly PlanMove[]): void;
  fit(): void;
  remove(): void;
};

export type DrawingOptions = {
  image: PlanImage;
  plan: Plan;
  onOpenLocation(id: number): void;
  onOpenReader(id: number): void;
};

/** Dots end somewhere within the middle half of a shape, so that several do not cover each other. */
const jitter = 0.5;
const pinRadius = 0.012;
const readerStepPx = 20;

type DrawnShape = {
  shape: PlanShape;
  outline: L.Path | undefined;
  label: L.Marker;
  /** The height of the part of the shape where its label covers no other shape; a fraction of the image. */
  labelHeight: number;
  center: Point;
};

/** Draws a floor plan with its shapes, and updates its live parts. */
export function createPlanDrawing(container: HTMLElement, options: DrawingOptions): PlanDrawing {
  const { image, plan, onOpenLocation, onOpenReader } = options;
  const planMap = createPlanMap(container, image);
  const { map, toLatLng } = planMap;
  const dots = createMovingDots(planMap);
  const coverage = new Map(plan.coverage);
  const readerLayer = L.layerGroup().addTo(map);
  const pinLayer = L.layerGroup().addTo(map);
  const drawn = new Map<number, DrawnShape>();

  // Small shapes are above the shapes that contain them.
  const locations = plan.shapes.flatMap((shape) =>
    shape.location_id === null ? [] : [{ shape, id: shape.location_id }],
  );
  for (const { shape, id } of locations.toSorted((a, b) => areaOf(b.shape.points) - areaOf(a.shape.points))) {
    drawn.set(id, drawShape(shape, id));
  }
  showNames();
  map.on('zoomend resize', showNames);

  function drawShape(shape: PlanShape, id: number): DrawnShape {
    const open = () => onOpenLocation(id);
    const isPin = shape.points.length === 1;
    const holes = holesOf(shape);
    const outline = isPin
      ? undefined
      : L.polygon(
          [shape.points, ...holes].map((points) => points.map(toLatLng)),
          {
            className: classes['outline'] ?? '',
            weight: 2,
          },
        )
          .addTo(map)
          .on('click', open);
    const at = isPin ? centerOf(shape.points) : labelPointOf(shape.points, image);
    const icon = labelIcon(labelContent(shape.name));
    const label = L.marker(toLatLng(at), { icon, keyboard: true, riseOnHover: true }).addTo(map).on('click', open);
    asButton(label, open);
    if (isPin) label.getElement()?.setAttribute('data-pin', '');
    return { shape, outline, label, labelHeight: heightAbove(holes, shape.points), center: centerOf(shape.points) };
  }

  /** Returns the shapes within a shape, which it does not fill: two fills would look like a higher level. */
  function holesOf({ points }: PlanShape): Point[][] {
    return outlinesWithin(
      points,
      locations.map(({ shape }) => shape.points),
    );
  }

  /** Labels of small shapes have what fits; screen readers always have the name and the count. */
  function showNames(): void {
    const scale = map.getZoomScale(map.getZoom(), 0);
    for (const { shape, label, labelHeight } of drawn.values()) {
      const { left, right } = boundsOf(shape.points);
      const isPin = shape.points.length === 1;
      const { layout, nameWidthPx } = layoutOfLabel({
        widthPx: isPin ? Number.POSITIVE_INFINITY : (right - left) * image.width * scale,
        heightPx: isPin ? Number.POSITIVE_INFINITY : labelHeight * image.height * scale,
      });
      const element = label.getElement();
      element?.setAttribute('data-layout', layout);
      // A longer name is cut off, so that it does not cover the label of the next shape.
      element?.style.setProperty('--plan-name-width', `${nameWidthPx}px`);
    }
  }

  /**
   * Returns the point at which assets at a location are shown: in the shape of the location, or of the nearest location
   * above it.
   */
  function spotOf(locationId: number | null): Point | null {
    const shown = locationId === null ? undefined : drawn.get(coverage.get(locationId) ?? 0);
    if (!shown) return null;
    const { left, right, top, bottom } = boundsOf(shown.shape.points);
    const [x, y] = shown.center;
    const shift = (side: number) => (Math.random() - 0.5) * (side || pinRadius) * jitter;
    return [x + shift(right - left), y + shift(bottom - top)];
  }

  function readerPoint(reader: PlanReader): Point | undefined {
    const own = plan.shapes.find(({ reader_id: id }) => id === reader.id)?.points[0];
    if (own) return own;
    const shapeId = reader.location_id === null ? undefined : coverage.get(reader.location_id);
    const shown = shapeId === undefined ? undefined : drawn.get(shapeId)?.shape.points;
    if (!shown) return undefined;
    const { left, bottom } = boundsOf(shown);
    return [left, bottom];
  }

  return {
    showCounts(counts) {
      const largest = Math.max(0, ...[...drawn.keys()].map((id) => counts.get(id) ?? 0));
      for (const [id, { shape, outline, label }] of drawn) {
        const count = counts.get(id) ?? 0;
        const level = String(levelOf(count, largest));
        outline?.getElement()?.setAttribute('data-level', level);
        const element = label.getElement();
        element?.setAttribute('data-level', level);
        element?.setAttribute('aria-label', `${shape.name}: ${quantity(count, 'asset')}`);
        const text = element?.querySelector('[data-count]');
        if (text) text.textContent = numberText(count);
      }
    },
    showReaders(readers) {
      readerLayer.clearLayers();
      const atPoint = new Map<string, number>();
      for (const reader of readers) {
        const point = readerPoint(reader);
        if (!point) continue;
        const before = atPoint.get(point.join()) ?? 0;
        atPoint.set(point.join(), before + 1);
        // Readers are side by side in the lower left corner of the shape; a reader with a pin is at its pin.
        const isPinned = plan.shapes.some(({ reader_id: id }) => id === reader.id);
        const iconAnchor: L.PointTuple = isPinned ? [9, 9] : [-4 - before * readerStepPx, 22];
        const icon = L.divIcon({ className: classes['reader'] ?? '', html: antenna, iconSize: [18, 18], iconAnchor });
        const marker = L.marker(toLatLng(point), {
          icon,
          keyboard: true,
          title: `${reader.name}: ${reader.statusName}`,
        });
        readerLayer.addLayer(marker);
        const element = marker.getElement();
        element?.setAttribute('data-status', reader.status);
        element?.setAttribute('aria-label', t`Reader ${reader.name}: ${reader.statusName}`);
        const open = () => onOpenReader(reader.id);
        marker.on('click', open);
        asButton(marker, open);
      }
    },
    showPin(pin) {
      pinLayer.clearLayers();
      const shown = pin && drawn.get(pin.shapeLocationId);
      if (!pin || !shown) return;
      const content = document.createElement('span');
      content.translate = false;
      content.textContent = pin.label;
      const icon = L.divIcon({ className: classes['pin'] ?? '', html: content, iconSize: [0, 0] });
      pinLayer.addLayer(
        L.marker(toLatLng(shown.center), { icon, interactive: false, keyboard: false, zIndexOffset: 1000 }),
      );
      if (!map.getBounds().contains(toLatLng(shown.center))) map.panTo(toLatLng(shown.center), { animate: false });
    },
    showMoves(moves) {
      dots.show(
        moves.flatMap(({ assetName, color = null, fromLocationId, toLocationId }) => {
          const [start, end] = [coverage.get(fromLocationId ?? 0), coverage.get(toLocationId ?? 0)];
          // Moves within one shape are not shown.
          return start === end
            ? []
            : [{ from: spotOf(fromLocationId), to: spotOf(toLocationId), label: assetName, color }];
        }),
      );
    },
    fit: planMap.fit,
    remove() {
      dots.remove();
      planMap.remove();
    },
  };
}

const antenna =
  '<svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true"><circle cx="9" cy="9" r="8"/><path d="M9 7.5v6M6.2 9.8a4 4 0 0 1 0-5.6M11.8 9.8a4 4 0 0 0 0-5.6"/></svg>';

/** Returns the name and the count of a shape. People chose the names, so they are set as text, not as HTML. */
function labelContent(name: string): HTMLElement {
  const content = document.createElement('span');
  const ownName = document.createElement('bdi');
  ownName.translate = false;
  ownName.textContent = name;
  const between = document.createElement('i');
  between.textContent = ': ';
  const count = document.createElement('b');
  count.dataset['count'] = '';
  content.append(ownName, between, count);
  return content;
}

/** Turns a marker, which Leaflet only makes focusable, into a button. */
function asButton(marker: L.Marker, act: () => void): void {
  const element = marker.getElement();
  element?.setAttribute('role', 'button');
  element?.addEventListener('keydown', (event) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    act();
  });
}
