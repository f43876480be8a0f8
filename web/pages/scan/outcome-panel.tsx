import { Text } from '@mantine/core';
import { UserText } from '../../ui/user-text.js';
import classes from './scan-page.module.css';
import type { Outcome } from './use-scanning.js';

/** What the last scan came to, large enough for an arm's length; screen readers are told at once. */
export function OutcomePanel({ outcome, hasPlace }: { outcome: Outcome | undefined; hasPlace: boolean }) {
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
        <Text c="dimmed">
          {hasPlace ? 'Ready. Scan what is here.' : 'Ready. Scan the tag of the location you are at, or choose it.'}
        </Text>
      )}
    </div>
  );
}
