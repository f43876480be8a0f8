import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { editorTexts as texts } from '../texts.js';
import { type Draft, keyOf, type Subject } from './editor-state.js';
import { labelOf, leftOf, useSubjects } from './use-subjects.js';

const nameMax = 255;
const newKey = 'new';

type AreaNameProps = {
  location: { id: number; name: string };
  drafts: readonly Draft[];
  /** The id is 0 for a location that is yet to be created. */
  onName: (subject: Subject) => void;
};

/** Asks which location an area is: one that is not on the plan yet, or a new one by its name. */
export function AreaName({ location, drafts, onName }: AreaNameProps) {
  const subjects = useSubjects(location);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const name = text.trim();
  const left = leftOf(subjects.data ?? [], drafts).filter(({ kind }) => kind === 'location');
  const isKnown = left.some((subject) => subject.name === name);
  const create = name === '' || isKnown ? [] : [{ value: newKey, label: t`Create “${name}”` }];

  function choose(key: string | null): void {
    if (key === newKey) onName({ kind: 'location', id: 0, name });
    const subject = left.find((one) => keyOf(one) === key);
    if (subject) onName(subject);
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
      onSearchChange={setText}
      searchable
      selectFirstOptionOnChange
      limit={200}
      maxLength={nameMax}
      flex={1}
      maw={320}
    />
  );
}
