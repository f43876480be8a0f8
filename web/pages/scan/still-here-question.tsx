import { t } from '@lingui/core/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ScanBatch } from '../../scanning/batch.js';
import { UserText } from '../../ui/user-text.js';
import { ScanLocationSearch } from './scan-location-search.js';
import type { Scanning } from './use-scanning.js';

type StillHereProps = Pick<Scanning, 'stillHere' | 'goTo'> & {
  open: ScanBatch;
  /** What was scanned, and where it was last, if that is known. */
  name: string;
  where: string | undefined;
  isOnline: boolean;
};

/** Asks after a long pause whether the person is still at the location, before the scan is recorded there. */
export function StillHereQuestion({ open, name, where, isOnline, stillHere, goTo }: StillHereProps) {
  const [isElsewhere, setElsewhere] = useState(false);
  const label = t`Still at ${open.place.name}?`;
  return (
    <Paper withBorder p="md" role="group" aria-label={label}>
      <Stack gap="sm">
        <div>
          <Text fw={650} size="lg" component="div">
            <UserText>{label}</UserText>
          </Text>
          <Text component="div">
            <UserText>{name}</UserText>
          </Text>
          {where !== undefined && (
            <Text size="sm" c="dimmed" component="div">
              <UserText>{where}</UserText>
            </Text>
          )}
        </div>
        <Group gap="sm">
          <Button size="md" onClick={stillHere}>{t`Yes, still here`}</Button>
          <Button size="md" variant="default" aria-expanded={isElsewhere} onClick={() => setElsewhere(true)}>
            {t`Another location`}
          </Button>
        </Group>
        {isElsewhere && (
          <>
            <Text size="sm">{t`Scan the tag of your location, or choose it:`}</Text>
            <ScanLocationSearch isOnline={isOnline} onChoose={goTo} />
          </>
        )}
      </Stack>
    </Paper>
  );
}
