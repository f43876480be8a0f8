import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';
import { useIsPresentOnly } from './present-parts.js';

/** Marks a part of a page that shows the present while the page shows the past. */
export function NowMark() {
  return useIsPresentOnly() ? <Badge ml="xs" color="gray" component="span">{t`now`}</Badge> : null;
}
