import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { UserText } from '../../ui/user-text.js';
import classes from './scan-page.module.css';
import type { Outcome } from './use-scanning.js';

export type OutcomePanelProps = {
  outcome: Outcome | undefined;
  /** False until the stored scans have been read. */
  isReady: boolean;
  hasLocation: boolean;
};

/** The result of the last scan, readable at arm's length; screen readers announce it at once. */
export function OutcomePanel({ outcome, isReady, hasLocation }: OutcomePanelProps) {
  return (
    <div className={classes['outcome']} data-kind={outcome?.kind} role="alert" aria-live="assertive">
      {outcome ? (
        <div key={outcome.no}>
          <div className={classes['outcomeTitle']}>
            <UserText>{outcome.title}</UserText>
          </div>
          <Text component="div">
            <UserText>{outcome.text}</UserText>
          </Text>
        </div>
      ) : (
        <Text c="dimmed">{readyWords(isReady, hasLocation)}</Text>
      )}
    </div>
  );
}

function readyWords(isReady: boolean, hasLocation: boolean): string {
  if (!isReady) return t`Loading…`;
  return hasLocation
    ? t`Ready. Scan the assets at this location.`
    : t`Ready. Scan a location tag, or choose your location.`;
}
