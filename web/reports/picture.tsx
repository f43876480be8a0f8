import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import type { BarPictureProps } from './bar-picture.js';
import { lazyPart } from '../ui/lazy-part.js';

const BarPicture = lazyPart(() => import('./bar-picture.js'), 'BarPicture');

/** A bar chart, whose library is loaded with the first one. Nothing where there are no bars. */
export function Picture(props: BarPictureProps) {
  if (props.bars.length === 0) return null;
  return (
    <Suspense fallback={<Skeleton height={300} />}>
      <BarPicture {...props} />
    </Suspense>
  );
}
