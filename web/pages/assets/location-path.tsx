import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { AnchorLink } from '../../ui/links.js';
import { PathText } from '../../ui/path-text.js';
import { UserText } from '../../ui/user-text.js';
import classes from './location-path.module.css';

export type PathLocation = NonNullable<Outputs['assets']['table']['data'][number]['location']>;

export type LocationPathProps = {
  location: PathLocation | null;
  /** Whether it was ever seen. Then a missing location means no known location. */
  isSeen: boolean;
  /** Whether the path is shown before the location, shortened if it is too long, instead of above it. */
  isOneLine?: boolean;
};

/** The location of something, with its path in the tree. */
export function LocationPath({ location, isSeen, isOneLine = false }: LocationPathProps) {
  if (!location) {
    return (
      <Text size="sm" c="dimmed" component="span">
        {isSeen ? t`No location` : t`Not seen yet`}
      </Text>
    );
  }
  const above = location.path.slice(0, -1).map(({ name }) => name);
  if (isOneLine) {
    return (
      <div className={classes['line']} title={[...above, location.name].join(' › ')}>
        <span className={classes['end']}>
          <LocationName location={location} />
        </span>
        {above.length > 0 && (
          <span className={classes['above']}>
            <PathText names={above} />
          </span>
        )}
      </div>
    );
  }
  return (
    <>
      {above.length > 0 && (
        <Text size="xs" c="dimmed" component="div">
          {above.map((name, index) => (
            <span key={location.path[index]?.id}>
              {index > 0 && ' › '}
              <UserText>{name}</UserText>
            </span>
          ))}
        </Text>
      )}
      <LocationName location={location} />
    </>
  );
}

/** A link to a location, or its name if it is deleted. */
export function LocationName({ location }: { location: Pick<PathLocation, 'id' | 'name' | 'is_deleted'> }) {
  if (location.is_deleted) {
    return (
      <span>
        <Trans>
          <UserText>{location.name}</UserText> (deleted)
        </Trans>
      </span>
    );
  }
  return (
    <AnchorLink
      to="/locations/$locationId"
      params={{ locationId: String(location.id) }}
      c="inherit"
      fz="inherit"
      lh="inherit"
    >
      <UserText>{location.name}</UserText>
    </AnchorLink>
  );
}
