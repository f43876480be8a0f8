import L from 'leaflet';
import type { Point } from '../geometry.js';

/** A click within this distance of the first corner closes an outline, in pixels. */
const closePx = 14;
const cornersMin = 3;
const cornersMax = 100;
const color = '#c2410c';

type PenOptions = {
  map: L.Map;
  toLatLng: (point: Point) => L.LatLng;
  pointAt: (latLng: L.LatLng) => Point;
  onDrawn: (points: readonly Point[]) => void;
  onCorners: (count: number) => void;
};

/** Draws an outline corner by corner, with a line to the pointer. */
export function createOutlinePen({ map, toLatLng, pointAt, onDrawn, onCorners }: PenOptions) {
  const layer = L.layerGroup().addTo(map);
  const line = L.polyline([], { color, weight: 2, dashArray: '6 4', interactive: false });
  let corners: Point[] = [];

  map.on('mousemove', ({ latlng }: L.LeafletMouseEvent) => {
    if (corners.length > 0) line.setLatLngs([...corners.map(toLatLng), latlng]);
  });

  function clear(): void {
    corners = [];
    line.setLatLngs([]);
    layer.clearLayers();
    onCorners(0);
  }

  function finish(): void {
    if (corners.length < cornersMin) return;
    const drawn = corners;
    clear();
    onDrawn(drawn);
  }

  return {
    add(at: L.LatLng) {
      const [first] = corners;
      const isClosing =
        first !== undefined &&
        map.latLngToContainerPoint(toLatLng(first)).distanceTo(map.latLngToContainerPoint(at)) < closePx;
      if (isClosing) {
        finish();
        return;
      }
      if (corners.length === 0) layer.addLayer(line);
      corners = [...corners, pointAt(at)];
      layer.addLayer(L.circleMarker(at, { radius: 5, color, fillColor: '#fff', fillOpacity: 1, interactive: false }));
      line.setLatLngs(corners.map(toLatLng));
      onCorners(corners.length);
      if (corners.length === cornersMax) finish();
    },
    finish,
    clear,
  };
}
