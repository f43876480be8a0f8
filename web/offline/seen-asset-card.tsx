import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import { useObjectUrl } from '../api/use-image.js';
import type { SeenAsset } from '../scanning/store.js';
import { formats, startOfDay, useFormats } from '../ui/formats.js';
import { UserText } from '../ui/user-text.js';

const photoPx = 44;

/** The last location of an asset that this device knows. */
export function SeenAssetCard({ asset }: { asset: SeenAsset }) {
  useFormats();
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" ta="start">
      <Photo blob={asset.photo} />
      <div style={{ minWidth: 0 }}>
        <Text fw={550} component="div">
          <UserText>{asset.name}</UserText>
        </Text>
        <Text size="sm" component="div">
          {asset.place === '' ? t`No location` : <UserText>{asset.place}</UserText>}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <UserText>{asset.external_key}</UserText> · {asOf(asset.at)}
        </Text>
      </div>
    </Group>
  );
}

/** Returns the time of the information, with the day if it is not today. */
export function asOf(atMs: number): string {
  const { clock, dateTime } = formats();
  const time = (atMs >= startOfDay(Date.now()) ? clock : dateTime).format(atMs);
  return t`as of ${time}`;
}

function Photo({ blob }: { blob: Blob | undefined }) {
  const url = useObjectUrl(blob);
  if (!blob) return <IconBox size={photoPx} stroke={1.2} aria-hidden style={{ flexShrink: 0 }} />;
  return <img src={url} alt="" width={photoPx} height={photoPx} style={{ objectFit: 'cover', flexShrink: 0 }} />;
}
