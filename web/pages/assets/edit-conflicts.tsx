import { t } from '@lingui/core/macro';
import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { UserText } from '../../ui/user-text.js';
import { type Editable, type EditableField, fieldNames, wordsOf } from './asset-values.js';
import classes from './edit-conflicts.module.css';
import { lowerCase } from '../../ui/lower-case.js';

type EditConflictsProps = {
  /** The fields that both persons changed. */
  fields: readonly EditableField[];
  mine: Editable;
  theirs: Editable;
  /** Called with the fields that take the other person's value. */
  onDecide: (taken: readonly EditableField[]) => void;
};

/** Shows values that somebody else saved next to the values typed here, and asks which to keep. */
export function EditConflicts({ fields, mine, theirs, onDecide }: EditConflictsProps) {
  const [taken, setTaken] = useState<ReadonlySet<EditableField>>(new Set());

  function choose(field: EditableField, choice: string): void {
    const next = new Set(taken);
    if (choice === 'theirs') next.add(field);
    else next.delete(field);
    setTaken(next);
  }

  return (
    <Alert role="alert" color="orange" title={t`Someone else changed this asset`}>
      <Stack gap="sm">
        <Text size="sm">{t`Your changes are not lost. Choose which values to keep, then save.`}</Text>
        {fields.map((field) => (
          <div key={field} role="group" aria-label={fieldNames[field]} className={classes['field']}>
            <Text size="sm" fw={550}>
              {fieldNames[field]}
            </Text>
            <div className={classes['sides']}>
              <Side title={t`Your value`} text={wordsOf(field, mine)} />
              <Side title={t`Saved value`} text={wordsOf(field, theirs)} />
            </div>
            <SegmentedControl
              size="xs"
              aria-label={t`Value to keep: ${lowerCase(fieldNames[field])}`}
              value={taken.has(field) ? 'theirs' : 'mine'}
              onChange={(choice) => choose(field, choice)}
              data={[
                { value: 'mine', label: t`Keep mine` },
                { value: 'theirs', label: t`Use theirs` },
              ]}
            />
          </div>
        ))}
        <Group>
          <Button size="xs" onClick={() => onDecide(fields.filter((field) => taken.has(field)))}>{t`Continue`}</Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes['side']}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" component="div" className={classes['text']}>
        <UserText>{text}</UserText>
      </Text>
    </div>
  );
}
