import { t } from '@lingui/core/macro';
import { Button, Group, Select } from '@mantine/core';
import { IconMapPin, IconPolygon, IconRectangle } from '@tabler/icons-react';
import { useState } from 'react';
import { ProblemState } from '../../ui/problem-state.js';
import { editorTexts as texts } from '../texts.js';
import type { Tool } from './editor-drawing.js';
import { type Draft, keyOf, type Subject } from './editor-state.js';
import { type ListedSubject, useSubjects } from './use-subjects.js';

type SubjectToolsProps = {
  location: { id: number; name: string };
  drafts: readonly Draft[];
  isDrawing: boolean;
  onDraw: (subject: Subject, tool: Tool | 'rectangle') => void;
};

/** Chooses a sublocation or a reader that is not on the plan yet, and how to draw it. */
export function SubjectTools({ location, drafts, isDrawing, onDraw }: SubjectToolsProps) {
  const subjects = useSubjects(location);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const drawn = new Set(drafts.map(({ key }) => key));
  const left = (subjects.data ?? []).filter((subject) => !drawn.has(keyOf(subject)));
  const chosen = left.find((subject) => keyOf(subject) === chosenKey);
  if (subjects.error) return <ProblemState error={subjects.error} onRetry={() => void subjects.refetch()} />;

  const tool = (kind: Tool | 'rectangle', Picture: typeof IconMapPin, words: string) => (
    <Button
      variant="default"
      leftSection={<Picture size={18} aria-hidden />}
      disabled={!chosen || isDrawing}
      onClick={() => chosen && onDraw(chosen, kind)}
    >
      {words}
    </Button>
  );
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={texts.subject}
        placeholder={placeholderOf(subjects.data, left)}
        data={groupsOf(left)}
        value={chosen ? chosenKey : null}
        onChange={setChosenKey}
        searchable
        limit={200}
        disabled={isDrawing}
        miw={240}
      />
      {chosen?.kind !== 'reader' && tool('outline', IconPolygon, texts.outline)}
      {chosen?.kind !== 'reader' && tool('rectangle', IconRectangle, texts.rectangle)}
      {tool('pin', IconMapPin, texts.pin)}
    </Group>
  );
}

function placeholderOf(all: readonly ListedSubject[] | undefined, left: readonly ListedSubject[]): string | undefined {
  if (all?.length === 0) return texts.nothingToDraw;
  return all && left.length === 0 ? texts.nothingLeft : undefined;
}

function groupsOf(subjects: readonly ListedSubject[]) {
  const items = (kind: Subject['kind']) =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map((subject) => ({
        value: keyOf(subject),
        label: subject.within === undefined ? subject.name : `${subject.name} (${subject.within})`,
      }));
  return [
    { group: t`Sublocations`, items: items('location') },
    { group: t`Readers`, items: items('reader') },
  ];
}

type ShapeChoiceProps = {
  drafts: readonly Draft[];
  selectedKey: string | null;
  onSelect: (key: string | null) => void;
};

/** Selects a shape without a mouse. */
export function ShapeChoice({ drafts, selectedKey, onSelect }: ShapeChoiceProps) {
  return (
    <Select
      aria-label={texts.onPlan}
      placeholder={texts.onPlan}
      data={drafts.map(({ key, subject: { name } }) => ({ value: key, label: name }))}
      value={selectedKey}
      onChange={onSelect}
      searchable
      clearable
      size="xs"
    />
  );
}
