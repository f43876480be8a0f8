import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Paper, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTRPC } from '../../../api/trpc.js';
import type { QueueSnapshot } from '../../../scanning/scan-queue.js';
import { useScanQueue } from '../../../scanning/use-scan-queue.js';
import { useWedgeScanner } from '../../../scanning/use-wedge-scanner.js';
import { ConfirmButton } from '../../../ui/confirm-button.js';
import { ButtonLink } from '../../../ui/links.js';
import { ProblemState } from '../../../ui/problem-state.js';
import { numberText, quantity } from '../../../ui/quantity.js';
import { UserText } from '../../../ui/user-text.js';
import { When } from '../../../ui/when.js';
import { ScanEntry } from '../../scan/scan-entry.js';
import { AuditColumns } from './audit-columns.js';
import { type AuditResult, compare, notMovedOf, readsOf } from './audit-model.js';
import classes from './audit.module.css';
import { type LastScan, useAudit } from './use-audit.js';

type Saved = { result: AuditResult; auditId: string };

/** The running audit, or the result of the audit that was just saved. */
export function AuditBoard({ id, name }: { id: number; name: string }) {
  const trpc = useTRPC();
  const location = useMemo(() => ({ id, name }), [id, name]);
  // The list must not change during the work, so it is loaded once, and stored with the first scan.
  const expected = useQuery(
    trpc.locations.expected.queryOptions({ location_id: id }, { staleTime: Infinity, gcTime: 0 }),
  );
  const [queue, snapshot] = useScanQueue();
  const state = useAudit(location, expected.data?.assets);
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
    const expectedIds = audit.expected.map((asset) => asset.id);
    const auditId = await queue.enqueue({
      place: location,
      reads: readsOf(audit, resolutions),
      audit: { startedAt: audit.startedAt, expected: expectedIds },
    });
    // Discards the audit only once the device has stored the batch to send. A duplicate could be noticed; a lost audit
    // could not be recovered.
    await state.discard();
    setSaved({ result, auditId });
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
      <Alert role="alert" color="red" title={t`This browser can’t store scans`}>
        <Trans>
          An audit needs to store scans on this device. Leave the private window, or allow this site to store data.
        </Trans>
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
        <Alert color="orange" title={t`Too many assets for one audit`}>
          <Trans>
            The first {quantity(total, 'asset')} by name are expected. Audit the sublocations one by one instead.
          </Trans>
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
              <Trans>Undo</Trans>
            </Button>
            <ConfirmButton
              size="md"
              question={t`Discard this audit?`}
              consequence={t`${quantity(count, 'scan')} will be lost.`}
              confirm={t`Discard audit`}
              onConfirm={state.discard}
            >
              <Trans>Discard</Trans>
            </ConfirmButton>
            <Button size="md" leftSection={<IconDeviceFloppy size={20} aria-hidden />} onClick={() => void save()}>
              <Trans>Save audit</Trans>
            </Button>
          </Group>
          <Text size="sm" c="dimmed" mt={4}>
            <Trans>Assets that you scanned are moved here. Missing assets stay at their last location.</Trans>
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
          <Trans>
            {numberText(found)} of {quantity(total, 'asset')} found
          </Trans>
        </Text>
        {startedAt !== undefined && (
          <Text size="sm" c="dimmed" component="div">
            <Trans>
              Started <When at={startedAt} />, stored on this device
            </Trans>
          </Text>
        )}
      </Group>
      <Progress value={total === 0 ? 100 : (found / total) * 100} aria-label={t`Expected assets that were found`} />
      {startedAt === undefined && (
        <Text size="sm" c="dimmed" mt="xs">{t`Scan what you see with a scanner or the camera, or type tag IDs.`}</Text>
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

function Summary({ saved: { result, auditId }, snapshot, onAgain }: SummaryProps) {
  const { found, missing, unexpected, unknown, unanswered } = result;
  const isIn = (batches: QueueSnapshot['sent']) => batches.some(({ id }) => id === auditId);
  const [color, title] = isIn(snapshot.refused)
    ? ['red', t`Not saved: the service rejected it`]
    : isIn(snapshot.waiting)
      ? ['blue', t`Stored on this device until the service can be reached`]
      : ['green', t`Saved`];
  const sent = snapshot.sent.find(({ id }) => id === auditId);
  const notMoved = notMovedOf(sent?.state === 'sent' ? sent.results : []);
  return (
    <Stack>
      <Alert color={color} title={title} role="status">
        <Trans>
          {numberText(found.length)} of {quantity(found.length + missing.length, 'asset')} found,{' '}
          {numberText(missing.length)} missing, {numberText(unexpected.length)} unexpected,{' '}
          {numberText(unknown.length + unanswered.length)} unassigned.
        </Trans>
        {notMoved.size > 0 && ` ${notMovedSentence(notMoved.size)}`}
        {isIn(snapshot.refused) && ` ${t`You can try again or discard it on the Scan page.`}`}
      </Alert>
      <Group>
        <Button variant="default" onClick={onAgain}>{t`Audit again`}</Button>
        {color === 'green' && (
          <ButtonLink to="/audits/$auditId" params={{ auditId }} variant="default">{t`Open audit`}</ButtonLink>
        )}
        <ButtonLink to="/scan" variant="subtle">{t`Scan page`}</ButtonLink>
      </Group>
      <AuditColumns result={result} notMoved={notMoved} />
    </Stack>
  );
}

const notMovedSentence = (count: number) =>
  plural(count, {
    one: '# asset was not moved: it was seen elsewhere later.',
    other: '# assets were not moved: they were seen elsewhere later.',
  });
