import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconArrowBackUp, IconCheck, IconSend, IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { areScansSentAutomatically, sendScansAutomatically } from '../../scanning/auto-send.js';
import { type Batch, isScanBatch } from '../../scanning/batch.js';
import { unknownIn } from '../../scanning/batches.js';
import { keepScanPage } from '../../scanning/keep-page.js';
import { areSoundsMuted, muteSounds } from '../../scanning/scan-sounds.js';
import { useResolver, useScanQueue } from '../../scanning/use-scan-queue.js';
import { useWedgeScanner } from '../../scanning/use-wedge-scanner.js';
import { useSession, useSessionState } from '../../session/context.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { Page } from '../../ui/page.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { OutcomePanel } from './outcome-panel.js';
import { ScanLocationCard } from './scan-location-card.js';
import { ScanEntry } from './scan-entry.js';
import classes from './scan-page.module.css';
import { deciding, useNames } from './use-names.js';
import { useScanning, whereIs } from './use-scanning.js';

/** What a scan shows is loaded once the page can be used, since the network may be away by then. */
const loadAfterMs = 1000;
const loadFoundCard = () => import('./found-card.js');
const loadMoveQuestion = () => import('./move-question.js');
const loadStillHereQuestion = () => import('./still-here-question.js');
const loadScannedList = () => import('./scanned-list.js');
const loadQueuePanel = () => import('./queue-panel.js');
const FoundCard = lazyPart(loadFoundCard, 'FoundCard');
const MoveQuestion = lazyPart(loadMoveQuestion, 'MoveQuestion');
const StillHereQuestion = lazyPart(loadStillHereQuestion, 'StillHereQuestion');
const ScannedList = lazyPart(loadScannedList, 'ScannedList');
const QueuePanel = lazyPart(loadQueuePanel, 'QueuePanel');
const SentList = lazyPart(() => import('./sent-list.js'), 'SentList');

const loadLater = [loadFoundCard, loadMoveQuestion, loadStillHereQuestion, loadScannedList, loadQueuePanel];

/** The handheld page: first the location, then the assets there. Scans are stored at once, and sent when possible. */
export function ScanPage() {
  const { can } = useSession();
  if (!can('operator')) {
    return (
      <Page title={t`Scan`}>
        <Alert title={t`You have view-only access`}>{t`Ask an administrator for the operator role.`}</Alert>
      </Page>
    );
  }
  return <Scanner />;
}

function Scanner() {
  const [queue, snapshot] = useScanQueue();
  const resolver = useResolver();
  const { open, waiting, sent } = snapshot;
  const values = useMemo(() => valuesOf(open ? [open, ...sent] : sent), [open, sent]);
  const { names, learn } = useNames(resolver, values, sent[0]?.id);
  const { outcome, found, placeFound, closeFound, question, held, scan, settle, reject, goTo, undo, ...answers } =
    useScanning({ queue, learn });
  const heldMatch = deciding(held?.resolution);
  const network = useNetwork();
  const session = useSessionState();
  const isOnline = network.online && session.status !== 'unreachable';
  const count = open?.reads.length ?? 0;
  const [waitingScans, sentScans] = [scansOf(waiting), scansOf(sent)];
  useEffect(keepScanPage, []);
  useEffect(() => {
    const load = () => Promise.all(loadLater.map((part) => part()));
    const timer = setTimeout(() => void load().catch(() => {}), loadAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    for (const value of open ? unknownIn(open) : []) {
      const resolution = names.get(value);
      if (resolution !== undefined && resolution !== 'unanswered') settle(value, resolution);
    }
  }, [open, names, settle]);
  useWedgeScanner(scan, { enabled: snapshot.status === 'ready', onReject: reject });

  return (
    <div className={classes['thumbs']}>
      <Page
        title={t`Scan`}
        width="narrow"
        actions={
          <>
            <WaitingBadge count={waiting.length} />
            <MuteButton />
          </>
        }
      >
        {snapshot.status === 'unavailable' && (
          <Alert role="alert" color="red" title={t`This browser can’t store scans`}>
            <Trans>
              Scanning is unavailable because this browser blocks storage. Leave the private window, or allow this site
              to store data.
            </Trans>
          </Alert>
        )}
        <ScanLocationCard
          location={open?.place}
          unknownTags={open ? unknownIn(open) : []}
          recent={snapshot.recentLocations}
          isOnline={isOnline}
          onChoose={goTo}
        />
        <Suspense>
          {question && open && <MoveQuestion open={open} question={question} {...answers} />}
          {held && open && (
            <StillHereQuestion
              key={held.value}
              open={open}
              name={heldMatch?.name ?? held.value}
              where={heldMatch && whereIs(heldMatch)}
              isOnline={isOnline}
              goTo={goTo}
              {...answers}
            />
          )}
        </Suspense>
        {open && (
          <Group justify="space-between">
            <Text size="sm" c="dimmed" aria-live="polite" data-testid="scan-count">
              <Trans>{quantity(count + waitingScans, 'scan')} to send</Trans>
              {sentScans > 0 && t`, ${quantity(sentScans, 'scan')} sent`}
            </Text>
            <AutoSendButton />
          </Group>
        )}
        <OutcomePanel outcome={outcome} snapshot={snapshot} />
        {found && (
          <Suspense fallback={null}>
            <FoundCard key={found.value} found={found} onHere={placeFound} onClose={closeFound} />
          </Suspense>
        )}
        <ScanEntry onScan={scan} outcome={outcome} hasLocation={open !== undefined} />
        {open && count > 0 && (
          <>
            <Suspense>
              <ScannedList reads={open.reads} names={names} onRemove={(key) => void queue.remove(key)} />
            </Suspense>
            <div className={classes['bar']}>
              <Group gap="sm" wrap="nowrap">
                <Button
                  size="lg"
                  variant="default"
                  flex="0 1 auto"
                  leftSection={<IconArrowBackUp size={22} aria-hidden />}
                  onClick={undo}
                >
                  <Trans>Undo</Trans>
                </Button>
                <Button
                  size="lg"
                  flex="1 0 auto"
                  leftSection={<IconSend size={22} aria-hidden />}
                  onClick={() => void queue.close()}
                >
                  <Trans>Send {numberText(count)}</Trans>
                </Button>
              </Group>
            </div>
          </>
        )}
        {waiting.length + snapshot.refused.length > 0 && (
          <Suspense>
            <QueuePanel queue={queue} snapshot={snapshot} isOnline={isOnline} />
          </Suspense>
        )}
        {sent.length > 0 && (
          <Suspense fallback={null}>
            <SentList sent={sent} names={names} onUndone={queue.noteUndone} />
          </Suspense>
        )}
      </Page>
    </div>
  );
}

/** How many batches wait, next to the heading. */
function WaitingBadge({ count }: { count: number }) {
  return count === 0 ? null : (
    <Badge size="lg" color="orange">
      <Trans>{count} waiting</Trans>
    </Badge>
  );
}

function AutoSendButton() {
  const [isAutomatic, setAutomatic] = useState(areScansSentAutomatically);
  const turn = () => {
    sendScansAutomatically(!isAutomatic);
    setAutomatic(!isAutomatic);
  };
  return (
    <Button
      size="sm"
      variant={isAutomatic ? 'light' : 'default'}
      aria-pressed={isAutomatic}
      leftSection={isAutomatic ? <IconCheck size={18} aria-hidden /> : null}
      onClick={turn}
    >
      <Trans>Send automatically</Trans>
    </Button>
  );
}

function MuteButton() {
  const [isMuted, setMuted] = useState(areSoundsMuted);
  const turn = () => {
    muteSounds(!isMuted);
    setMuted(!isMuted);
  };
  return (
    <ActionIcon size={44} aria-label={t`Sounds`} aria-pressed={!isMuted} onClick={turn}>
      {isMuted ? <IconVolumeOff size={24} aria-hidden /> : <IconVolume size={24} aria-hidden />}
    </ActionIcon>
  );
}

function scansOf(batches: readonly Batch[]): number {
  return batches.filter(isScanBatch).reduce((sum, { reads }) => sum + reads.length, 0);
}

function valuesOf(batches: readonly Batch[]): string[] {
  return batches.flatMap(({ reads, placeTags = [] }) => [
    ...placeTags,
    ...reads.flatMap((read) => ('value' in read ? [read.value] : [])),
  ]);
}
