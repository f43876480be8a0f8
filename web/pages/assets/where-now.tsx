import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text } from '@mantine/core';
import { UseBadge } from '../../kinds/use-badge.js';
import { durationText, exactTime, useFromNow } from '../../ui/times.js';
import { placementText } from '../../ui/seen-when.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import type { AssetDetail } from './asset-values.js';
import { LocationName, LocationPath } from './location-path.js';

/** Shows the current location, for how long, and which reader saw the asset last or who placed it. */
export function WhereNow({ asset }: { asset: AssetDetail }) {
  const { position } = asset;
  if (!position) {
    if (asset.containers.length > 0)
      return <LocationPath location={null} isSeen={false} containers={asset.containers} />;
    return <Text c="dimmed">{t`Not seen yet. The location appears after the first read of a tag.`}</Text>;
  }
  const { location, reader, antenna, placement } = position;
  return (
    <div aria-live="polite">
      <Text component="div" size="lg" fw={550}>
        <LocationPath location={location} isSeen containers={asset.containers} />{' '}
        <UseBadge asset={{ is_active: asset.is_active, has_problem: asset.problems.length > 0, location }} />
      </Text>
      {asset.is_away && asset.belongs_to && (
        <Text size="sm" mt="xs" component="div">
          <Badge color="orange" tt="none">{t`Away`}</Badge>{' '}
          <Trans>
            Belongs to <LocationName location={asset.belongs_to} />
          </Trans>
        </Text>
      )}
      <Text size="sm" mt="xs">
        <Trans>
          There for <Duration since={position.located_since} />
        </Trans>
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {placement !== null ? (
          <>
            <UserText>{placementText(placement)}</UserText>, <When at={position.asset_last_seen} />.{' '}
            {placement.seen_before === null
              ? t`Not seen yet.`
              : placement.seen_before !== position.asset_last_seen && (
                  <Trans>
                    Last seen <When at={placement.seen_before} />.
                  </Trans>
                )}
          </>
        ) : reader === null ? (
          <Trans>
            Last seen <When at={position.asset_last_seen} /> by a handheld.
          </Trans>
        ) : antenna === null ? (
          <Trans>
            Last seen <When at={position.asset_last_seen} /> by <ReaderName reader={reader} />.
          </Trans>
        ) : (
          <Trans>
            Last seen <When at={position.asset_last_seen} /> by <ReaderName reader={reader} />, antenna {antenna}.
          </Trans>
        )}
      </Text>
    </div>
  );
}

function ReaderName({ reader: { name, is_deleted: isDeleted } }: { reader: { name: string; is_deleted: boolean } }) {
  return isDeleted ? (
    <Trans>
      <UserText>{name}</UserText> (deleted)
    </Trans>
  ) : (
    <UserText>{name}</UserText>
  );
}

/** The time since an instant, which is shown on hover. */
function Duration({ since }: { since: string }) {
  const sinceMs = Date.parse(since);
  return (
    <time dateTime={since} title={exactTime(sinceMs)}>
      {useFromNow((nowMs) => durationText(nowMs - sinceMs))}
    </time>
  );
}
