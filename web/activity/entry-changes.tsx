import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Collapse, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { UserText } from '../ui/user-text.js';
import classes from './activity.module.css';
import { type FieldChange, fieldChanges } from './field-changes.js';
import type { Entry } from './entry.js';

/**
 * Shows the fields that an entry changed, before and after. For an object that was created or deleted, only on request.
 */
export function EntryChanges({ entry }: { entry: Entry }) {
  const changes = fieldChanges(entry);
  if (changes.length === 0) return null;
  const isWhole = entry.action === 'created' || entry.action === 'deleted';
  return isWhole ? <WholeObject changes={changes} name={entry.object_name} /> : <Changes changes={changes} />;
}

function WholeObject({ changes, name }: { changes: readonly FieldChange[]; name: string }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap={4} align="flex-start">
      <UnstyledButton
        className={classes['toggle']}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={isOpen ? t`Hide details of ${name}` : t`Show details of ${name}`}
      >
        {isOpen ? t`Hide details` : t`Show details`}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Changes changes={changes} />
      </Collapse>
    </Stack>
  );
}

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <ul className={classes['changes']}>
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          <Text span size="sm" c="dimmed">
            <UserText>{name}</UserText>:{' '}
          </Text>
          {before === null ? <After value={after} /> : <Change before={before} after={after} />}
        </li>
      ))}
    </ul>
  );
}

type ChangeProps = { before: string; after: string | null };

/** Shows an arrow between the values, and a text for screen readers. */
function Change({ before, after }: ChangeProps) {
  return (
    <Trans>
      <Text span size="sm" td={after === null ? undefined : 'line-through'}>
        <UserText>{before}</UserText>
      </Text>
      <Text span size="sm" aria-hidden>
        {' → '}
      </Text>
      <span className={classes['spoken']}> is now </span>
      <After value={after} />
    </Trans>
  );
}

function After({ value }: { value: string | null }) {
  return (
    <Text span size="sm" fw={500}>
      {value === null ? t`removed` : <UserText>{value}</UserText>}
    </Text>
  );
}
