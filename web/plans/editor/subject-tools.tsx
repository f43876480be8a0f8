import { t } from '@lingui/core/macro';
import { Group, Select } from '@mantine/core';
import { type Icon, IconMapPin, IconMarquee2, IconPolygon, IconRectangle } from '@tabler/icons-react';
import { useState } from 'react';
import { ProblemState } from '../../ui/problem-state.js';
import { editorTexts as texts } from '../texts.js';
import type { Tool } from './editor-drawing.js';
import { type Draft, keyOf, type Subject } from './editor-state.js';
import { ToolButton } from './tool-button.js';
import { labelOf, leftOf, type ListedSubject, useSubjects } from './use-subjects.js';

type SubjectToolsProps = {
  location: { id: number; name: string };
  drafts: readonly Draft[];
  isDrawing: boolean;
  /** Without a subject, the area is named afterwards. */
  onDraw: (subject: Subject | null, tool: Tool | 'rectangle') => void;
};

/** Draws an area, or chooses a sublocation or a reader that is not on the plan yet and how to draw it. */
export function SubjectTools({ location, drafts, isDrawing, onDraw }: SubjectToolsProps) {
  const subjects = useSubjects(location);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const left = leftOf(subjects.data ?? [], drafts);
  const chosen = left.find((subject) => keyOf(subject) === chosenKey);
  const isReader = chosen?.kind === 'reader';
  if (subjects.error) return <ProblemState error={subjects.error} onRetry={() => void subjects.refetch()} />;

  const tool = (kind: Tool | 'rectangle', Picture: Icon, words: string) => (
    <ToolButton
      icon={Picture}
      label={words}
      isDisabled={!chosen || isDrawing}
      onClick={() => chosen && onDraw(chosen, kind)}
    />
  );
  return (
    <Group gap="xs" wrap="nowrap">
      <ToolButton
        icon={IconMarquee2}
        label={texts.area}
        variant="filled"
        isDisabled={isDrawing || isReader}
        onClick={() => onDraw(chosen ?? null, 'area')}
      />
      <Select
        aria-label={texts.subject}
        placeholder={subjects.data && left.length === 0 ? texts.nothingLeft : texts.subject}
        data={groupsOf(left)}
        value={chosen ? chosenKey : null}
        onChange={setChosenKey}
        searchable
        limit={200}
        disabled={isDrawing}
        flex={1}
        maw={320}
        miw={0}
      />
      {!isReader && tool('outline', IconPolygon, texts.outline)}
      {!isReader && tool('rectangle', IconRectangle, texts.rectangle)}
      {tool('pin', IconMapPin, texts.pin)}
    </Group>
  );
}

function groupsOf(subjects: readonly ListedSubject[]) {
  const items = (kind: Subject['kind']) =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map((subject) => ({ value: keyOf(subject), label: labelOf(subject) }));
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
