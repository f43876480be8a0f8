import { t } from '@lingui/core/macro';
import { Badge } from '@mantine/core';

/** Says that a scanned asset was not moved, since it was seen later at this location; null for none. */
export function notMovedText(location: { name: string } | null): string {
  return location ? t`Not moved: seen later at ${location.name}` : t`Not moved: seen later elsewhere`;
}

export function NotMovedBadge() {
  return <Badge color="yellow">{t`Not moved`}</Badge>;
}
