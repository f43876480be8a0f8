import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Outputs } from '../../api/trpc.js';
import { UserText } from '../../ui/user-text.js';

export type Place = NonNullable<Outputs['assets']['table']['data'][number]['location']>;

export type PlacePathProps = {
  place: Place | null;
  /** Whether it was seen at all: only then is it somewhere that has no name. */
  isSeen: boolean;
};

/** Where something is: the location, and above it the way through the tree. */
export function PlacePath({ place, isSeen }: PlacePathProps) {
  if (!place) {
    return (
      <Text size="sm" c="dimmed" component="span">
        {isSeen ? 'No location' : 'Not seen yet'}
      </Text>
    );
  }
  const above = place.path.slice(0, -1);
  return (
    <>
      {above.length > 0 && (
        <Text size="xs" c="dimmed" component="div">
          {above.map((step, index) => (
            <span key={step.id}>
              {index > 0 && ' › '}
              <UserText>{step.name}</UserText>
            </span>
          ))}
        </Text>
      )}
      {place.is_deleted ? (
        <span>
          <UserText>{place.name}</UserText> (deleted)
        </span>
      ) : (
        <Anchor
          component={Link}
          {...({ to: '/locations/$locationId', params: { locationId: String(place.id) } } as object)}
          c="inherit"
        >
          <UserText>{place.name}</UserText>
        </Anchor>
      )}
    </>
  );
}
