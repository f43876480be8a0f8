import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { holdScans } from '../../scanning/auto-send.js';
import type { ScanBatch, ScanLocation } from '../../scanning/batch.js';
import { numberText } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { ScanLocationSearch } from './scan-location-search.js';
import { deciding } from './use-names.js';
import { type HeldScan, type Scanning, whereIs } from './use-scanning.js';

type MoveQuestionProps = Pick<Scanning, 'moveOn' | 'takeAlong' | 'stay'> & {
  open: ScanBatch;
  question: ScanLocation;
};

/** Asks what to do with unsent scans after another location's tag was scanned. */
export function MoveQuestion({ open, question, moveOn, takeAlong, stay }: MoveQuestionProps) {
  // Holds back the scans until it is known for which location they are.
  useEffect(holdScans, []);
  return (
    <Paper withBorder p="md" role="group" aria-label={t`Continue at another location?`}>
      <Stack gap="sm">
        <Text component="div">
          <Trans>
            Send {numberText(open.reads.length)} to <UserText>{open.place.name}</UserText> and continue at{' '}
            <UserText>{question.name}</UserText>?
          </Trans>
        </Text>
        <Group gap="sm">
          <Button size="md" onClick={moveOn}>{t`Send and continue`}</Button>
          <Button size="md" variant="default" onClick={takeAlong}>{t`Move these scans`}</Button>
          <Button size="md" variant="default" onClick={stay}>{t`Stay here`}</Button>
        </Group>
      </Stack>
    </Paper>
  );
}

type StillHereProps = Pick<Scanning, 'stillHere' | 'goTo'> & { open: ScanBatch; held: HeldScan; isOnline: boolean };

/** Asks after a long pause whether the person is still at the location, before the scan is recorded there. */
export function StillHereQuestion({ open, held, isOnline, stillHere, goTo }: StillHereProps) {
  const [isElsewhere, setElsewhere] = useState(false);
  const asset = deciding(held.resolution);
  const label = t`Still at ${open.place.name}?`;
  return (
    <Paper withBorder p="md" role="group" aria-label={label}>
      <Stack gap="sm">
        <div>
          <Text fw={650} size="lg" component="div">
            <UserText>{label}</UserText>
          </Text>
          <Text component="div">
            <UserText>{asset?.name ?? held.value}</UserText>
          </Text>
          {asset && (
            <Text size="sm" c="dimmed" component="div">
              <UserText>{whereIs(asset)}</UserText>
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
