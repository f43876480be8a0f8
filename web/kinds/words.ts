import { t } from '@lingui/core/macro';
import type { Kind } from './kind-picture.js';

export const iconNames: Record<Kind['icon'], string> = {
  box: t`Box`,
  bed: t`Bed`,
  wheelchair: t`Wheelchair`,
  droplet: t`Droplet`,
  heartbeat: t`Heartbeat`,
  stethoscope: t`Stethoscope`,
  laptop: t`Laptop`,
  printer: t`Printer`,
  tool: t`Tool`,
  forklift: t`Forklift`,
  truck: t`Truck`,
  key: t`Key (tool)`,
  armchair: t`Armchair`,
  camera: t`Camera`,
  plug: t`Plug`,
  bottle: t`Bottle`,
};

export const colorNames: Record<Kind['color'], string> = {
  gray: t`Gray`,
  red: t`Red`,
  pink: t`Pink`,
  grape: t`Purple`,
  violet: t`Violet`,
  indigo: t`Indigo`,
  blue: t`Blue`,
  cyan: t`Cyan`,
  teal: t`Teal`,
  green: t`Green`,
  lime: t`Lime`,
  yellow: t`Yellow`,
  orange: t`Orange`,
};
