import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { Suspense } from 'react';
import type { Outputs } from '../../api/trpc.js';
import { formats } from '../../ui/formats.js';
import { quantity } from '../../ui/quantity.js';
import classes from './home.module.css';
import { lazyPart } from '../../ui/lazy-part.js';

const ReadsChart = lazyPart(() => import('./reads-chart.js'), 'ReadsChart');

type Reads = Outputs['home']['summary']['reads'];

/** How much was read in the last day. */
export function ReadsCard({ reads }: { reads: Reads | undefined }) {
  const total = reads?.slots.reduce((sum, slot) => sum + slot.reads, 0);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="reads-heading">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4" id="reads-heading">{t`Reads`}</Title>
        <Text size="sm" c="dimmed">
          {total === undefined ? ' ' : t`${quantity(total, 'read')} in the last 24 hours`}
        </Text>
      </Group>
      <div className={classes['chart']} role="img" aria-label={reads ? describe(reads) : t`Loading`}>
        {reads && (
          <Suspense fallback={<Skeleton height={150} />}>
            <ReadsChart intervals={reads.slots} />
          </Suspense>
        )}
      </div>
      <Text size="xs" c="dimmed" component="div" aria-hidden>
        <Trans>Reads per {reads?.slot_minutes ?? 10} minutes, by time of day</Trans>
      </Text>
    </Paper>
  );
}

/** Returns a description of the picture in words. */
function describe({ slots, slot_minutes: minutes }: Reads): string {
  const most = slots.reduce((best, slot) => (slot.reads > best.reads ? slot : best), { at: '', reads: 0 });
  if (most.reads === 0) return t`No reads in the last 24 hours`;
  return t`Reads in the last 24 hours: at most ${quantity(most.reads, 'read')} in ${minutes} minutes, from ${formats().clock.format(Date.parse(most.at))}`;
}
