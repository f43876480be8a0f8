import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { InContainers } from '../../containers/in-containers.js';
import { containerNames, type NamedAsset } from '../../containers/words.js';
import { LocationLink } from '../../ui/object-links.js';
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
  /** The containers that it is in, from the inside out. */
  containers?: readonly NamedAsset[];
};

/** The location of something, with its path in the tree. */
export function LocationPath({ location, isSeen, isOneLine = false, containers = [] }: LocationPathProps) {
  if (!location) {
    return (
      <Text size="sm" c="dimmed" component="span">
        <InContainers containers={containers} />
        {isSeen ? t`No location` : t`Not seen yet`}
      </Text>
    );
  }
  const above = location.path.slice(0, -1).map(({ name }) => name);
  if (isOneLine) {
    return (
      <div
        className={classes['line']}
        title={[containerNames(containers), ...above, location.name].filter((name) => name !== '').join(' › ')}
      >
        <span className={classes['end']}>
          <InContainers containers={containers} />
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
      <InContainers containers={containers} />
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
  return <LocationLink id={location.id} name={location.name} c="inherit" fz="inherit" lh="inherit" />;
}
