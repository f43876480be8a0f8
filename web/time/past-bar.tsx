import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { exactTime } from '../ui/times.js';
import classes from './past-bar.module.css';
import type { TimeTravel } from './use-time-travel.js';

/**
 * Shows with date and time that a page shows the past, at the bottom edge of the window; renders nothing for the
 * present.
 */
export function PastBar({ travel: { at, goTo } }: { travel: TimeTravel }) {
  if (at === null) return null;
  return (
    <div className={classes['bar']} role="region" aria-label={t`Instant shown`}>
      <Group gap="sm" justify="space-between">
        <Group gap="xs" wrap="nowrap">
          <IconHistory size={20} aria-hidden />
          <Text size="sm" fw={600}>
            <Trans>This page shows {exactTime(at)}. What is marked “now” shows the present.</Trans>
          </Text>
        </Group>
        <Button size="xs" variant="default" onClick={() => goTo(null)}>{t`Back to now`}</Button>
      </Group>
    </div>
  );
}
