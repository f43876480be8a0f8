import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { editorTexts as texts } from '../texts.js';
import { type Draft, keyOf, type Subject } from './editor-state.js';
import { labelOf, leftOf, useSubjects } from './use-subjects.js';

const nameMax = 255;
const newKey = 'new';

type AreaNameProps = {
  location: { id: number; name: string };
  drafts: readonly Draft[];
  /** The id is 0 for a location that is still to be created. */
  onName: (subject: Subject) => void;
};

/** Asks which location an area is: a location that is not on the plan yet, or the name of a new location. */
export function AreaName({ location, drafts, onName }: AreaNameProps) {
  const subjects = useSubjects(location);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  /** Whether the person has moved to another option with the arrow keys. */
  const hasMoved = useRef(false);
  useEffect(() => field.current?.focus(), []);
  const name = text.trim();
  const left = leftOf(subjects.data ?? [], drafts).filter(({ kind }) => kind === 'location');
  const known = left.find((subject) => subject.name === name);
  const create = name === '' || known ? [] : [{ value: newKey, label: t`Create “${name}”` }];

  function choose(key: string | null): void {
    if (key === newKey) onName({ kind: 'location', id: 0, name });
    const subject = left.find((one) => keyOf(one) === key);
    if (subject) onName(subject);
  }

  /** Enter accepts the typed text, even before the list has marked its first option. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key.startsWith('Arrow')) hasMoved.current = true;
    if (event.key !== 'Enter' || name === '' || hasMoved.current) return;
    event.preventDefault();
    event.stopPropagation();
    onName(known ?? { kind: 'location', id: 0, name });
  }

  return (
    <Select
      ref={field}
      aria-label={texts.areaName}
      placeholder={texts.areaName}
      data={[...create, ...left.map((subject) => ({ value: keyOf(subject), label: labelOf(subject) }))]}
      value={null}
      onChange={choose}
      searchValue={text}
      onSearchChange={(typed) => {
        setText(typed);
        hasMoved.current = false;
      }}
      onKeyDownCapture={onKeyDown}
      searchable
      selectFirstOptionOnChange
      limit={200}
      maxLength={nameMax}
      flex={1}
      maw={320}
    />
  );
}
