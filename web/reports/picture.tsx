import { Box, Skeleton, Text } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part.js';
import type { BarPictureProps } from './bar-picture.js';

const BarPicture = lazyPart(() => import('./bar-picture.js'), 'BarPicture');

const barHeight = 34;

/** A bar chart. Its library is loaded with the first chart. Renders nothing if there are no bars. */
export function Picture(props: Omit<BarPictureProps, 'height'>) {
  const { bars, caption, isHorizontal = false } = props;
  if (bars.length === 0) return null;
  const height = isHorizontal ? Math.max(180, 80 + bars.length * barHeight) : 300;
  return (
    <Box component="figure" m={0}>
      <Text component="figcaption" size="sm" c="dimmed" mb={4}>
        {caption}
      </Text>
      <Suspense fallback={<Skeleton height={height} />}>
        <BarPicture {...props} height={height} />
      </Suspense>
    </Box>
  );
}
