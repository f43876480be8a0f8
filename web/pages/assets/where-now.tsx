import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { durationText, exactTime, useNow } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import type { AssetDetail } from './asset-values.js';
import { PlacePath } from './place-path.js';

/** Shows the current location, for how long, and which reader saw the asset last. */
export function WhereNow({ asset: { position } }: { asset: AssetDetail }) {
  if (!position) {
    return <Text c="dimmed">{t`Not seen yet. The location appears after the first read of a tag.`}</Text>;
  }
  const { location, reader, antenna } = position;
  return (
    <div aria-live="polite">
      <Text component="div" size="lg" fw={550}>
        <PlacePath place={location} isSeen />
      </Text>
      <Text size="sm" mt="xs">
        <Trans>There for</Trans> <Duration since={position.located_since} />
      </Text>
      <Text size="sm" c="dimmed" component="div">
        <Trans>
          Last seen <When at={position.asset_last_seen} />{' '}
        </Trans>
        {reader ? (
          <>
            <Trans>
              by <UserText>{reader.name}</UserText>
            </Trans>
            {reader.is_deleted && ' (deleted)'}
            {antenna !== null && t`, antenna ${antenna}`}
          </>
        ) : (
          t`by a handheld`
        )}
        .
      </Text>
    </div>
  );
}

/** The time since an instant, which is shown on hover. */
function Duration({ since }: { since: string }) {
  const sinceMs = Date.parse(since);
  return (
    <time dateTime={since} title={exactTime(sinceMs)}>
      {durationText(useNow() - sinceMs)}
    </time>
  );
}
