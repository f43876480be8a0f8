import { t } from '@lingui/core/macro';
import { useFormats } from './formats.js';
import { exactTime, relativeTime, useNow } from './times.js';

/** An instant as people say it; the exact one, in the viewer's time zone, on hover. RFC 3339 in, null for never. */
export function When({ at, never = t`never` }: { at: string | null; never?: string }) {
  const now = useNow();
  useFormats();
  if (at === null) return <>{never}</>;
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(atMs)}>
      {relativeTime(atMs, now)}
    </time>
  );
}
