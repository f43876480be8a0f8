import L from 'leaflet';
import { areaOf, centerOf, clamped, labelPointOf, moved, type Point } from '../geometry.js';
import { createPlanMap, labelIcon, type PlanImage } from '../plan-map.js';
import classes from '../plans.module.css';
import { createAreaPen } from './area-pen.js';
import { createOutlinePen } from './outline-pen.js';
import type { Draft } from './editor-state.js';

export type Tool = 'area' | 'outline' | 'pin';

export type EditorDrawing = {
  show(drafts: readonly Draft[], selectedKey: string | null): void;
  /** Begins to draw with a tool; null ends drawing. */
  use(tool: Tool | null): void;
  /** Ends an outline, if it has at least three corners. */
  finish(): void;
  /** The center of the visible part, where new shapes are placed. */
  middle(): Point;
  focus(): void;
  remove(): void;
};

export type EditorEvents = {
  onSelect(key: string | null): void;
  onChange(key: string, points: readonly Point[]): void;
  onDrawn(points: readonly Point[]): void;
  onCorners(count: number): void;
};

const cornerPx = 24;

/** Draws the shapes of a plan so that they can be changed with mouse and touch. */
export function createEditorDrawing(container: HTMLElement, image: PlanImage, events: EditorEvents): EditorDrawing {
  const planMap = createPlanMap(container, image);
  const { map, toLatLng } = planMap;
  const layer = L.layerGroup().addTo(map);
  const pointAt = (at: L.LatLng) => clamped(planMap.pointAt(at));
  const pen = createOutlinePen({ map, toLatLng, pointAt, onDrawn: events.onDrawn, onCorners: events.onCorners });
  const areaPen = createAreaPen({ map, toLatLng, pointAt, onDrawn: events.onDrawn });
  let tool: Tool | null = null;

  map.on('click', ({ latlng }: L.LeafletMouseEvent) => {
    if (tool === 'pin') events.onDrawn([pointAt(latlng)]);
    else if (tool === 'outline') pen.add(latlng);
    else if (tool === null) events.onSelect(null);
  });

  function drawOutline({ key, points, subject }: Draft, isSelected: boolean): void {
    const outline = L.polygon(points.map(toLatLng), { className: classes['outline'] ?? '', weight: 2 }).addTo(layer);
    outline.getElement()?.setAttribute('data-level', '1');
    outline.on('click', (event) => {
      // While something is being drawn, a click on a shape counts as a click on the plan.
      if (tool !== null) return;
      L.DomEvent.stopPropagation(event);
      events.onSelect(key);
    });
    const label = labelIcon(nameContent(subject.name));
    const at = toLatLng(labelPointOf(points, image));
    L.marker(at, { icon: label, interactive: false, keyboard: false }).addTo(layer);
    if (!isSelected) return;
    outline.getElement()?.setAttribute('data-selected', '');
    const element = outline.getElement();
    if (element instanceof SVGElement) dragWhole(element, { key, points, outline });
    for (const [index] of points.entries()) drawCorner({ key, points, outline }, index);
  }

  type Held = { key: string; points: readonly Point[]; outline: L.Polygon };

  function drawCorner({ key, points, outline }: Held, index: number): void {
    const icon = L.divIcon({ className: classes['corner'] ?? '', iconSize: [cornerPx, cornerPx] });
    const corner = L.marker(toLatLng(points[index] ?? [0, 0]), { icon, draggable: true, keyboard: false }).addTo(layer);
    const changed = () => points.map((point, at) => (at === index ? pointAt(corner.getLatLng()) : point));
    corner.on('drag', () => outline.setLatLngs(changed().map(toLatLng)));
    corner.on('dragend', () => events.onChange(key, changed()));
  }

  /** Uses pointer events, since Leaflet cannot move a path by touch. */
  function dragWhole(element: SVGElement, { key, points, outline }: Held): void {
    element.addEventListener('pointerdown', (down) => {
      if (tool !== null) return;
      const start = planMap.pointAt(map.mouseEventToLatLng(down));
      let last = points;
      map.dragging.disable();
      element.setPointerCapture(down.pointerId);
      const move = (event: PointerEvent) => {
        const [x, y] = planMap.pointAt(map.mouseEventToLatLng(event));
        last = moved(points, [x - start[0], y - start[1]]);
        outline.setLatLngs(last.map(toLatLng));
      };
      const end = () => {
        element.removeEventListener('pointermove', move);
        map.dragging.enable();
        if (last !== points) events.onChange(key, last);
      };
      element.addEventListener('pointermove', move);
      element.addEventListener('pointerup', end, { once: true });
      element.addEventListener('pointercancel', end, { once: true });
    });
  }

  function drawPin({ key, points, subject }: Draft, isSelected: boolean): void {
    const icon = labelIcon(nameContent(subject.name));
    const pin = L.marker(toLatLng(centerOf(points)), { icon, draggable: isSelected, keyboard: false }).addTo(layer);
    pin.getElement()?.setAttribute('data-pin', '');
    pin.getElement()?.toggleAttribute('data-selected', isSelected);
    pin.on('click', (event) => {
      if (tool !== null) return;
      L.DomEvent.stopPropagation(event);
      events.onSelect(key);
    });
    pin.on('dragend', () => events.onChange(key, [pointAt(pin.getLatLng())]));
  }

  return {
    show(drafts, selectedKey) {
      layer.clearLayers();
      for (const draft of drafts.toSorted((a, b) => areaOf(b.points) - areaOf(a.points))) {
        const draw = draft.points.length === 1 ? drawPin : drawOutline;
        draw(draft, draft.key === selectedKey);
      }
    },
    use(next) {
      tool = next;
      pen.clear();
      areaPen.use(next === 'area');
      if (next === null) delete container.dataset['drawing'];
      else container.dataset['drawing'] = next;
    },
    finish: pen.finish,
    middle: () => pointAt(map.getCenter()),
    focus: () => container.focus({ preventScroll: true }),
    remove() {
      pen.clear();
      planMap.remove();
    },
  };
}

function nameContent(name: string): HTMLElement {
  const content = document.createElement('span');
  const text = document.createElement('bdi');
  text.textContent = name;
  content.append(text);
  return content;
}
