import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { lazyPart } from '../../ui/lazy-part.js';

const TelemetryLine = lazyPart(() => import('./telemetry-line.js'), 'TelemetryLine');

type Hour = Outputs['assets']['telemetryHours']['hours'][number];
type Values = Outputs['assets']['telemetry']['tags'][number]['values'];
type Hourly = Exclude<keyof Hour, 'hour'>;

const hourly: readonly Hourly[] = ['battery', 'voltage', 'temperature', 'humidity'];
const refetchMs = 5 * 60_000;

/** Returns whether a tag measures a quantity with one kept value an hour. */
export function hasHours(values: Values | undefined): boolean {
  return hourly.some((quantity) => values?.[quantity]);
}

type TagHistoryProps = { assetId: number; tagId: number; value: string };

/** What a tag measured in the last 30 days, loaded when it is opened. */
export function TagHistory({ assetId, tagId, value }: TagHistoryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button size="compact-xs" variant="subtle" px={0} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Trans>
          Last 30 days<VisuallyHidden> of {value}</VisuallyHidden>
        </Trans>
      </Button>
      {isOpen && <Lines assetId={assetId} tagId={tagId} />}
    </div>
  );
}

function Lines({ assetId, tagId }: { assetId: number; tagId: number }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.assets.telemetryHours.queryOptions({ asset_id: assetId, tag_id: tagId }, { refetchInterval: refetchMs }),
  );
  if (error) return <Text role="alert">{problemOf(error).detail}</Text>;
  if (!data) return <Skeleton height={120} aria-busy="true" />;
  const lines = hourly
    .map((quantity) => ({
      quantity,
      points: data.hours.flatMap(({ hour, [quantity]: value }) =>
        value === null ? [] : [{ atMs: Date.parse(hour), value }],
      ),
    }))
    .filter(({ points }) => points.length > 0);
  if (lines.length === 0) return <Text size="sm" c="dimmed">{t`No values in the last 30 days.`}</Text>;
  return (
    <Suspense fallback={<Skeleton height={120} aria-busy="true" />}>
      <Stack gap="xs" mt={4}>
        {lines.map(({ quantity, points }) => (
          <TelemetryLine key={quantity} quantity={quantity} points={points} />
        ))}
      </Stack>
    </Suspense>
  );
}
