import { t } from '@lingui/core/macro';
import { Badge, CloseButton, Group, Paper } from '@mantine/core';
import { UserText } from '../../ui/user-text.js';
import type { RuleChoice } from './rule-values.js';

type Props = { label: string; choices: readonly RuleChoice[]; onChange: (choices: RuleChoice[]) => void };

/** The selected assets or locations, each with a button that removes it. */
export function ChosenList({ label, choices, onChange }: Props) {
  if (choices.length === 0) return null;
  return (
    <Group gap="xs" role="list" aria-label={label}>
      {choices.map((choice) => (
        <Paper key={choice.id} withBorder pl="xs" py={2} role="listitem" maw="100%">
          <Group gap={4} wrap="nowrap">
            <UserText>{choice.label}</UserText>
            {choice.isDeleted && <Badge color="red">{t`Deleted`}</Badge>}
            <CloseButton
              size="sm"
              aria-label={t`Remove ${choice.label}`}
              onClick={() => onChange(choices.filter(({ id }) => id !== choice.id))}
            />
          </Group>
        </Paper>
      ))}
    </Group>
  );
}

/** Adds a choice unless it is there already. */
export function withChoice(choices: readonly RuleChoice[], added: RuleChoice | null): RuleChoice[] {
  return added === null || choices.some(({ id }) => id === added.id) ? [...choices] : [...choices, added];
}
