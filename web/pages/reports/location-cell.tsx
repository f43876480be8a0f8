import { t } from '@lingui/core/macro';
import { Box, Text } from '@mantine/core';
import { LocationLink } from '../../ui/object-links.js';
import { UserText } from '../../ui/user-text.js';

export const noLocation = t`No known location`;

type LocationCellProps = { location: { id: number; name: string; is_deleted?: boolean } | null };

/** On a phone the table scrolls before words of a name are broken. */
const nameMinWidth = 112;

/** A location as a link, or only its name if it has been deleted. */
export function LocationCell({ location }: LocationCellProps) {
  if (!location) return <Text c="dimmed">{noLocation}</Text>;
  return (
    <Box miw={nameMinWidth}>
      {location.is_deleted ? (
        <UserText>{location.name}</UserText>
      ) : (
        <LocationLink id={location.id} name={location.name} />
      )}
    </Box>
  );
}

/** Labels of bars that distinguish entries with the same name: a chart merges bars with the same label. */
export function labelsOf(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const short = name.length > 24 ? `${name.slice(0, 23)}…` : name;
    const count = (seen.get(short) ?? 0) + 1;
    seen.set(short, count);
    return count === 1 ? short : `${short} (${count})`;
  });
}
