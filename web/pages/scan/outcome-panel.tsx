import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { Suspense } from 'react';
import type { QueueSnapshot } from '../../scanning/scan-queue.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { UserText } from '../../ui/user-text.js';
import { placingText, sentScanOf } from './placing-text.js';
import classes from './scan-page.module.css';
import type { Outcome } from './use-scanning.js';

const ContainedResult = lazyPart(() => import('./contained-result.js'), 'ContainedResult');

export type OutcomePanelProps = { outcome: Outcome | undefined; snapshot: QueueSnapshot };

/** The result of the last scan, readable at arm's length; screen readers announce it at once. */
export function OutcomePanel({ outcome, snapshot }: OutcomePanelProps) {
  return (
    <div className={classes['outcome']} data-kind={outcome?.kind} role="alert" aria-live="assertive">
      {outcome ? (
        <div key={outcome.no}>
          <div className={classes['outcomeTitle']}>
            <UserText>{outcome.title}</UserText>
          </div>
          <Text component="div">
            <OutcomeText outcome={outcome} snapshot={snapshot} />
          </Text>
        </div>
      ) : (
        <Text c="dimmed">{readyWords(snapshot)}</Text>
      )}
    </div>
  );
}

/** The text of a scan that is recorded changes once it is sent. */
function OutcomeText({ outcome: { text, placing }, snapshot }: { outcome: Outcome; snapshot: QueueSnapshot }) {
  const sent = placing && sentScanOf(placing.value, snapshot);
  if (sent?.result.status === 'done' || sent?.result.status === 'failed') {
    return (
      <Suspense>
        <ContainedResult result={sent.result} place={sent.batch.place} isUndone={sent.isUndone} />
      </Suspense>
    );
  }
  return <UserText>{placing ? placingText(placing, sent) : text}</UserText>;
}

function readyWords({ status, open }: QueueSnapshot): string {
  if (status !== 'ready') return t`Loading…`;
  if (open?.place.is) return t`Ready. Scan an asset.`;
  return open ? t`Ready. Scan the assets at this location.` : t`Ready. Scan a location tag, or choose your location.`;
}
