import {
  type Icon,
  IconArmchair,
  IconBed,
  IconBottle,
  IconBox,
  IconCamera,
  IconDeviceLaptop,
  IconDroplet,
  IconForklift,
  IconHeartbeat,
  IconKey,
  IconPlug,
  IconPrinter,
  IconStethoscope,
  IconTool,
  IconTruck,
  IconWheelchair,
} from '@tabler/icons-react';
import { useImage } from '../api/use-image.js';
import type { Outputs } from '../api/trpc.js';

/** The kind of an asset, as lists and pages of assets have it. */
export type Kind = NonNullable<Outputs['assets']['detail']['kind']>;

export const kindPictures: Record<Kind['icon'], Icon> = {
  box: IconBox,
  bed: IconBed,
  wheelchair: IconWheelchair,
  droplet: IconDroplet,
  heartbeat: IconHeartbeat,
  stethoscope: IconStethoscope,
  laptop: IconDeviceLaptop,
  printer: IconPrinter,
  tool: IconTool,
  forklift: IconForklift,
  truck: IconTruck,
  key: IconKey,
  armchair: IconArmchair,
  camera: IconCamera,
  plug: IconPlug,
  bottle: IconBottle,
};

export const kindColors = [
  'gray',
  'red',
  'pink',
  'grape',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
] as Kind['color'][];

type PictureProps = { kind: Pick<Kind, 'icon' | 'color' | 'image_id'>; size?: number };

/**
 * The photo of a kind, else its icon in its color. The name of the kind is next to the picture, or is its alternative
 * text.
 */
export function KindPicture({ kind, size = 18 }: PictureProps) {
  return kind.image_id === null ? <KindIcon kind={kind} size={size} /> : <Photo imageId={kind.image_id} size={size} />;
}

export function KindIcon({ kind, size = 18 }: PictureProps) {
  const Picture = kindPictures[kind.icon];
  return (
    <Picture
      size={size}
      stroke={1.7}
      aria-hidden
      color={`var(--mantine-color-${kind.color}-6)`}
      style={{ flex: 'none' }}
    />
  );
}

function Photo({ imageId, size }: { imageId: number; size: number }) {
  const { url } = useImage(imageId, 'thumbnail');
  const style = { width: size, height: size, objectFit: 'cover', borderRadius: 4, flex: 'none' } as const;
  return url ? <img src={url} alt="" style={style} /> : <span style={style} />;
}
