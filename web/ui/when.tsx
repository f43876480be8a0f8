import { t } from '@lingui/core/macro';
import { useFormats } from './formats.js';
import { exactTime, relativeTime, useFromNow } from './times.js';

/**
 * An instant as relative time, with the exact instant in the viewer's time zone on hover. `at` is RFC 3339, or null for
 * never.
 */
export function When({ at, never = t`never` }: { at: string | null; never?: string }) {
  useFormats();
  const atMs = at === null ? undefined : Date.parse(at);
  const words = useFromNow((nowMs) => (atMs === undefined ? never : relativeTime(atMs, nowMs)));
  if (at === null || atMs === undefined) return <>{words}</>;
  return (
    <time dateTime={at} title={exactTime(atMs)}>
      {words}
    </time>
  );
}
