import { t } from '@lingui/core/macro';
import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import type { Point, Size } from './geometry.js';
import classes from './plans.module.css';

/** The image of a plan in a Leaflet map, whose unit is one pixel of the image. */
export type PlanMap = {
  map: L.Map;
  /** Where a point of the plan is on the map. */
  toLatLng(point: Point): L.LatLng;
  pointAt(latLng: L.LatLng): Point;
  /** Shows the whole plan. */
  fit(): void;
  remove(): void;
};

export type PlanImage = Size & { url: string };

const zoomStep = 0.5;
const zoomLevelsMax = 5;
/** How far the plan can be moved out of view, as a fraction of its size. */
const marginPart = 0.2;

export function prefersReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Puts a plan into an element. Arrow keys, plus, minus and the mouse wheel work only while it has the focus, so that a
 * page can be scrolled past a plan.
 */
export function createPlanMap(container: HTMLElement, { url, width, height }: PlanImage): PlanMap {
  const isAnimated = !prefersReducedMotion();
  const bounds = L.latLngBounds([0, 0], [height, width]);
  const map = L.map(container, {
    crs: L.CRS.Simple,
    attributionControl: false,
    zoomControl: false,
    zoomSnap: 0,
    zoomDelta: zoomStep,
    minZoom: -10,
    maxBoundsViscosity: 0.8,
    maxBounds: bounds.pad(marginPart),
    scrollWheelZoom: false,
    doubleClickZoom: false,
    boxZoom: false,
    zoomAnimation: isAnimated,
    fadeAnimation: isAnimated,
    inertia: isAnimated,
  });
  // Labels are in the upper left corners of their shapes, where Leaflet would put the buttons.
  L.control.zoom({ position: 'bottomright', zoomInTitle: t`Zoom in`, zoomOutTitle: t`Zoom out` }).addTo(map);
  L.imageOverlay(url, bounds, { className: classes['image'] ?? '', alt: '' }).addTo(map);
  let isFitted = true;

  function fit(): void {
    map.invalidateSize({ animate: false });
    map.setMinZoom(-10);
    map.fitBounds(bounds, { animate: false, padding: [4, 4] });
    const zoom = map.getZoom();
    map.setMinZoom(zoom - zoomStep);
    map.setMaxZoom(zoom + zoomLevelsMax);
    isFitted = true;
  }

  map.on('zoomstart dragstart', () => {
    isFitted = false;
  });
  map.on('focus', () => map.scrollWheelZoom.enable());
  map.on('blur', () => map.scrollWheelZoom.disable());
  const resizes = new ResizeObserver(() => {
    if (isFitted) fit();
    else map.invalidateSize({ animate: false });
  });
  fit();
  resizes.observe(container);

  return {
    map,
    toLatLng: ([x, y]) => L.latLng(height * (1 - y), width * x),
    pointAt: ({ lat, lng }) => [lng / width, 1 - lat / height],
    fit,
    remove() {
      resizes.disconnect();
      map.remove();
    },
  };
}

/** Returns a label next to a point, with the size of its content. */
export function labelIcon(html: HTMLElement): L.DivIcon {
  const icon = L.divIcon({ className: classes['label'] ?? '', html, iconAnchor: [-3, -3] });
  // Leaflet would otherwise set a default size.
  Object.assign(icon.options, { iconSize: null });
  return icon;
}
