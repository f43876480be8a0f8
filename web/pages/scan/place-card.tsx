import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useState } from 'react';
import type { Place } from '../../scanning/batch.js';
import { UserText } from '../../ui/user-text.js';
import { PlaceSearch } from './place-search.js';

export type PlaceCardProps = {
  place: Place | undefined;
  recent: readonly Place[];
  /** Without a network nothing can be searched; what was chosen before is still there. */
  isOnline: boolean;
  onChoose: (place: Place) => void;
};

const recentShown = 4;

/** Where the person scans: chosen, or scanned from the location's own tag. */
export function PlaceCard({ place, recent, isOnline, onChoose }: PlaceCardProps) {
  const [isChoosing, setChoosing] = useState(false);
  const others = recent.filter(({ id }) => id !== place?.id).slice(0, recentShown);

  function choose(next: Place): void {
    setChoosing(false);
    onChoose(next);
  }

  return (
    <Paper withBorder p="md" component="section" aria-label={t`Location`}>
      <Stack gap="sm">
        <Group wrap="nowrap" gap="sm" align="center">
          <IconMapPin size={28} stroke={1.7} aria-hidden />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" c="dimmed">
              {place ? t`You are at` : t`Where are you?`}
            </Text>
            <Text size="xl" fw={650} component="div" data-testid="place">
              {place ? <UserText>{place.name}</UserText> : t`No location yet`}
            </Text>
          </div>
          {place && (
            <Button variant="default" onClick={() => setChoosing(!isChoosing)} aria-expanded={isChoosing}>
              <Trans>Change</Trans>
            </Button>
          )}
        </Group>
        {(!place || isChoosing) && (
          <Stack gap="sm">
            {isOnline ? (
              <PlaceSearch onChoose={choose} />
            ) : (
              <Text size="sm">
                {others.length > 0
                  ? t`You’re offline. Choose a recent location:`
                  : t`You’re offline, so locations can’t be searched. Scan the tag of a recent location.`}
              </Text>
            )}
            {others.length > 0 && (
              <Group gap="xs" role="group" aria-label={t`Recent locations`}>
                {others.map((one) => (
                  <Button key={one.id} variant="light" size="md" maw="100%" onClick={() => choose(one)}>
                    <UserText lines={1}>{one.name}</UserText>
                  </Button>
                ))}
              </Group>
            )}
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}
