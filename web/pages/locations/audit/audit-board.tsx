import { Alert, Button, Group, Paper, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTRPC } from '../../../api/trpc.js';
import { batchReadsMax } from '../../../scanning/batch.js';
import type { QueueSnapshot } from '../../../scanning/scan-queue.js';
import { useScanQueue } from '../../../scanning/use-scan-queue.js';
import { useWedgeScanner } from '../../../scanning/use-wedge-scanner.js';
import { ConfirmButton } from '../../../ui/confirm-button.js';
import { ButtonLink } from '../../../ui/links.js';
import { ProblemState } from '../../../ui/problem-state.js';
import { quantity } from '../../../ui/quantity.js';
import { UserText } from '../../../ui/user-text.js';
import { When } from '../../../ui/when.js';
import { ScanEntry } from '../../scan/scan-entry.js';
import { AuditColumns } from './audit-columns.js';
import { type AuditResult, compare, readsOf } from './audit-model.js';
import classes from './audit.module.css';
import { type LastScan, useAudit } from './use-audit.js';

type Saved = { result: AuditResult; submissionIds: string[] };

/** The audit under way, or what the one that was just saved came to. */
export function AuditBoard({ id, name }: { id: number; name: string }) {
  const trpc = useTRPC();
  const place = useMemo(() => ({ id, name }), [id, name]);
  // A list that changes under one's hands cannot be worked through: it is asked for once, and kept with the first scan.
  const expected = useQuery(
    trpc.locations.expected.queryOptions({ location_id: id }, { staleTime: Infinity, gcTime: 0 }),
  );
  const [queue, snapshot] = useScanQueue();
  const state = useAudit(place, expected.data?.assets);
  const { audit, resolutions, scan } = state;
  const [saved, setSaved] = useState<Saved | null>(null);
  useWedgeScanner(scan, { enabled: saved === null });

  const known = audit?.expected ?? expected.data?.assets;
  const result = useMemo(
    () => (known ? compare({ expected: known, sightings: audit?.sightings ?? [] }, resolutions) : null),
    [known, audit, resolutions],
  );

  async function save(): Promise<void> {
    if (!audit || !result) return;
    const reads = readsOf(audit, resolutions);
    const submissionIds: string[] = [];
    for (let at = 0; at < reads.length; at += batchReadsMax) {
      submissionIds.push(await queue.enqueue(place, reads.slice(at, at + batchReadsMax)));
    }
    // Only once the device has what is to be sent: what is saved twice is seen twice, what is lost is lost.
    await state.discard();
    setSaved({ result, submissionIds });
  }

  if (saved) {
    return (
      <Summary
        saved={saved}
        snapshot={snapshot}
        onAgain={() => {
          setSaved(null);
          void expected.refetch();
        }}
      />
    );
  }
  if (state.status === 'unavailable') {
    return (
      <Alert role="alert" color="red" title="This browser keeps nothing">
        Scans cannot be kept on this device, so nothing can be audited. Leave the private window, or allow this site to
        store data.
      </Alert>
    );
  }
  if (expected.error && !audit) {
    return <ProblemState error={expected.error} onRetry={() => void expected.refetch()} />;
  }
  if (!result || state.status === 'loading') return <Skeleton height={200} />;
  const count = audit?.sightings.length ?? 0;
  const total = result.found.length + result.missing.length;
  return (
    <Stack>
      {!audit && expected.data?.is_complete === false && (
        <Alert color="orange" title="There is more here than fits into one audit">
          The first {quantity(total, 'asset')} by name are expected; audit the locations below it one by one instead.
        </Alert>
      )}
      <ProgressCard found={result.found.length} total={total} startedAt={audit?.startedAt} />
      <LastScanCard last={state.last} />
      <ScanEntry onScan={scan} />
      <AuditColumns result={result} onTick={state.tick} />
      {count > 0 && (
        <div className={classes['bar']}>
          <Group gap="sm">
            <Button
              size="md"
              variant="default"
              leftSection={<IconArrowBackUp size={20} aria-hidden />}
              onClick={state.undo}
            >
              Undo
            </Button>
            <ConfirmButton
              size="md"
              question="Discard this audit?"
              consequence={`${quantity(count, 'scan')} would be forgotten, and nothing saved.`}
              confirm="Discard audit"
              onConfirm={state.discard}
            >
              Discard
            </ConfirmButton>
            <Button size="md" leftSection={<IconDeviceFloppy size={20} aria-hidden />} onClick={() => void save()}>
              Save {quantity(count, 'read')}
            </Button>
          </Group>
          <Text size="sm" c="dimmed" mt={4}>
            Everything scanned is then seen here; what is foreign moves here. What is missing stays where it was seen
            last.
          </Text>
        </div>
      )}
    </Stack>
  );
}

function ProgressCard({ found, total, startedAt }: { found: number; total: number; startedAt: string | undefined }) {
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Text fw={650} size="lg" data-testid="progress">
          {found.toLocaleString()} of {quantity(total, 'asset')} found
        </Text>
        {startedAt !== undefined && (
          <Text size="sm" c="dimmed" component="div">
            Begun <When at={startedAt} />, kept on this device
          </Text>
        )}
      </Group>
      <Progress value={total === 0 ? 100 : (found / total) * 100} aria-label="Found of what is expected" />
      {startedAt === undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          Scan what you see: with a scanner, without touching a field; with the camera; or type it.
        </Text>
      )}
    </Paper>
  );
}

function LastScanCard({ last }: { last: LastScan | undefined }) {
  return (
    <div aria-live="assertive" aria-atomic="true">
      {last && (
        <Alert key={last.no} color={last.color} title={<UserText>{last.title}</UserText>} data-testid="last-scan">
          {last.text}
        </Alert>
      )}
    </div>
  );
}

type SummaryProps = { saved: Saved; snapshot: QueueSnapshot; onAgain: () => void };

function Summary({ saved: { result, submissionIds }, snapshot, onAgain }: SummaryProps) {
  const { found, missing, foreign, unknown, unanswered } = result;
  const isIn = (batches: QueueSnapshot['sent']) => batches.some(({ id }) => submissionIds.includes(id));
  const [color, title] = isIn(snapshot.refused)
    ? ['red', 'Not saved: the service refused it']
    : isIn(snapshot.waiting)
      ? ['blue', 'Kept on this device, and sent once the service can be reached']
      : ['green', 'Saved'];
  return (
    <Stack>
      <Alert color={color} title={title} role="status">
        {found.length.toLocaleString()} of {quantity(found.length + missing.length, 'asset')} found,{' '}
        {missing.length.toLocaleString()} missing, {foreign.length.toLocaleString()} from elsewhere,{' '}
        {quantity(unknown.length + unanswered.length, 'unknown tag')}.
        {isIn(snapshot.refused) && ' It can be tried again or thrown away on the scan page.'}
      </Alert>
      <Group>
        <Button variant="default" onClick={onAgain}>
          Audit it again
        </Button>
        <ButtonLink to="/scan" variant="subtle">
          To the scan page
        </ButtonLink>
      </Group>
      <AuditColumns result={result} />
    </Stack>
  );
}
