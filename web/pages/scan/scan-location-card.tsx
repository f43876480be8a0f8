import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useState } from 'react';
import { isSamePlace, type ScanLocation, type ScanPlace } from '../../scanning/batch.js';
import { numberText } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { ScanLocationSearch } from './scan-location-search.js';
import classes from './scan-page.module.css';

export type ScanLocationCardProps = {
  location: ScanPlace | undefined;
  recent: readonly ScanLocation[];
  /** Tags that were scanned here and are unknown to this device: they may be other locations. */
  unknownTags: readonly string[];
  isOnline: boolean;
  onChoose: (place: ScanPlace) => void;
};

const recentShown = 4;

/** The scan location: chosen, or set by scanning the location's own tag. */
export function ScanLocationCard({ location, unknownTags, recent, isOnline, onChoose }: ScanLocationCardProps) {
  const [isChoosing, setChoosing] = useState(false);
  const others = recent.filter((one) => !isSamePlace(location, one)).slice(0, recentShown);

  function choose(next: ScanPlace): void {
    setChoosing(false);
    onChoose(next);
  }

  return (
    <Paper withBorder p="md" component="section" aria-label={t`Location`}>
      <Stack gap="sm">
        <Group gap="sm" align="center">
          <IconMapPin size={28} stroke={1.7} aria-hidden />
          <div className={classes['place']}>
            <Text size="sm" c="dimmed">
              {locationLabel(location, unknownTags)}
            </Text>
            <Text size="xl" fw={650} component="div" data-testid="scan-location">
              {location ? <UserText>{location.name}</UserText> : t`No location yet`}
            </Text>
          </div>
          {location && (
            <Button variant="default" onClick={() => setChoosing(!isChoosing)} aria-expanded={isChoosing}>
              <Trans>Change</Trans>
            </Button>
          )}
        </Group>
        {unknownTags.length > 0 && (
          <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
            {unknownTags.length === 1 ? (
              <Trans>
                This device does not know the tag <UserText>{unknownTags[0]}</UserText>. If it is a location, what you
                scan now is recorded there.
              </Trans>
            ) : (
              t`This device does not know ${numberText(unknownTags.length)} tags. What you scan after a location among them is recorded there.`
            )}
          </Text>
        )}
        {(!location || isChoosing) && (
          <Stack gap="sm">
            <ScanLocationSearch isOnline={isOnline} onChoose={choose} />
            {others.length > 0 && (
              <Group gap="xs" role="group" aria-label={t`Recent locations`}>
                {others.map((one) => (
                  <Button key={one.id} variant="light" size="md" maw="100%" onClick={() => choose(one)}>
                    <UserText lines={1}>{one.name}</UserText>
                  </Button>
                ))}
              </Group>
            )}
            {location?.is !== 'out' && (
              <Group>
                <Button variant="light" size="md" onClick={() => choose({ id: 0, name: t`Take out`, is: 'out' })}>
                  {t`Take assets out of containers`}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Stack>
    </Paper>
  );
}

function locationLabel(location: ScanPlace | undefined, unknownTags: readonly string[]): string {
  if (!location) return t`Where are you?`;
  if (location.is) return location.is === 'out' ? t`What you scan leaves its container` : t`What you scan goes into`;
  return unknownTags.length === 0 ? t`You are at` : t`Last known location`;
}
