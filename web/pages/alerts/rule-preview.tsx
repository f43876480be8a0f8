import { plural, t } from '@lingui/core/macro';
import { Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { alertText } from '../../alerts/words.js';
import { problemOf } from '../../api/errors.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { conditionProblems, conditionsOf, type RuleValues } from './rule-values.js';

const pauseMs = 400;

/** Shows how often the rule in the form would have fired in the last days. */
export function RulePreview({ values }: { values: RuleValues }) {
  const trpc = useTRPC();
  const isComplete = Object.keys(conditionProblems(values)).length === 0;
  // A text, so that input which does not change the conditions sends no request.
  const [settled] = useDebouncedValue(isComplete ? JSON.stringify(conditionsOf(values)) : '', pauseMs);
  const conditions = settled === '' ? conditionsOf(values) : (JSON.parse(settled) as ReturnType<typeof conditionsOf>);
  const preview = useQuery(
    trpc.alertRules.preview.queryOptions(
      { ...conditions, name: t`Preview` },
      { enabled: isComplete && settled !== '', placeholderData: keepPreviousData, staleTime: 30_000 },
    ),
  );
  if (!isComplete) return <Text c="dimmed">{t`Complete the rule to see how often it would have fired.`}</Text>;
  if (preview.error) return <Text role="alert">{problemOf(preview.error).detail}</Text>;
  if (!preview.data) return <Skeleton height={48} aria-busy="true" />;
  return (
    <>
      <Text aria-live="polite" fw={550}>
        {countText(preview.data)}
      </Text>
      {preview.data.examples.map(({ at, ...event }) => (
        <Text key={`${at} ${alertText(event)}`} size="sm" c="dimmed" component="div">
          <When at={at} />: <UserText>{alertText(event)}</UserText>
        </Text>
      ))}
    </>
  );
}

function countText({ days, count, is_at_least: isAtLeast }: Outputs['alertRules']['preview']): string {
  if (count === null) return t`There is no history of this event to preview.`;
  if (count === 0) {
    return isAtLeast
      ? plural(days, {
          one: 'No such event is known in the last # day.',
          other: 'No such event is known in the last # days.',
        })
      : plural(days, {
          one: 'Would not have fired in the last # day.',
          other: 'Would not have fired in the last # days.',
        });
  }
  const times = quantity(count, 'time');
  return isAtLeast
    ? plural(days, {
        one: `Would have fired at least ${times} in the last # day.`,
        other: `Would have fired at least ${times} in the last # days.`,
      })
    : plural(days, {
        one: `Would have fired ${times} in the last # day.`,
        other: `Would have fired ${times} in the last # days.`,
      });
}
