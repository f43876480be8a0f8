import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useReducer, useRef, useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useTRPCClient } from '../../api/trpc.js';
import { useImage } from '../../api/use-image.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ProblemState } from '../../ui/problem-state.js';
import { freeRectangle, type Point } from '../geometry.js';
import { useRefreshPlans } from '../location-plan.js';
import type { Plan } from '../plan-drawing.js';
import { editorTexts as texts, texts as planTexts } from '../texts.js';
import { EditorCanvas, type EditorHandle } from './editor-canvas.js';
import type { Tool } from './editor-drawing.js';
import { reduce, shapesOf, startOf, type Subject } from './editor-state.js';
import { ShapeChoice, SubjectTools } from './subject-tools.js';

const rectangleSide = 0.2;

type PlanEditorProps = { plan: Plan; name: string; onClose: () => void };

/** Draws sublocations and readers on a plan. Nothing is stored before it is saved. */
export function PlanEditor({ plan: newest, name, onClose }: PlanEditorProps) {
  // What somebody else saves meanwhile does not change what is being edited; saving is refused then.
  const [plan] = useState(newest);
  const api = useTRPCClient();
  const refresh = useRefreshPlans();
  const image = useImage(plan.image.id);
  const [state, dispatch] = useReducer(reduce, plan, startOf);
  const [drawing, setDrawing] = useState<{ tool: Tool; subject: Subject } | null>(null);
  const [corners, setCorners] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const canvas = useRef<EditorHandle>(null);
  const selected = state.drafts.find(({ key }) => key === state.selectedKey);
  const isDirty = state.past.length > 0;
  const { question, release } = useLeaveGuard(isDirty);

  function draw(subject: Subject, tool: Tool | 'rectangle'): void {
    if (tool === 'rectangle') {
      const middle = canvas.current?.middle() ?? [0.5, 0.5];
      const taken = state.drafts.map((draft) => draft.points);
      dispatch({ type: 'add', subject, points: freeRectangle(middle, rectangleSide, taken) });
    } else setDrawing({ tool, subject });
    canvas.current?.focus();
  }

  function onDrawn(points: readonly Point[]): void {
    if (drawing) dispatch({ type: 'add', subject: drawing.subject, points });
    setDrawing(null);
  }

  async function save(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const { location_id, updated_at } = plan;
      await api.floorPlans.setShapes.mutate({ location_id, updated_at, shapes: shapesOf(state.drafts) });
      release();
      await refresh();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  }

  async function reload(): Promise<void> {
    release();
    await refresh();
    onClose();
  }

  if (image.error) return <ProblemState error={image.error} onRetry={image.retry} />;
  return (
    <Stack gap="sm">
      <SubjectTools
        location={{ id: plan.location_id, name }}
        drafts={state.drafts}
        isDrawing={drawing !== null}
        onDraw={draw}
      />
      <Group gap="xs" mih={36}>
        {drawing ? (
          <>
            {drawing.tool === 'outline' && (
              <Button size="xs" disabled={corners < 3} onClick={() => canvas.current?.finish()}>
                {texts.finish}
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => setDrawing(null)}>
              {texts.stop}
            </Button>
          </>
        ) : (
          <ShapeChoice
            drafts={state.drafts}
            selectedKey={state.selectedKey}
            onSelect={(key) => {
              dispatch({ type: 'select', key });
              canvas.current?.focus();
            }}
          />
        )}
        <Text size="sm" c="dimmed" role="status">
          {hintOf(drawing?.tool, selected !== undefined)}
        </Text>
      </Group>
      {image.url === undefined ? (
        <Skeleton height={320} />
      ) : (
        <EditorCanvas
          ref={canvas}
          image={{ url: image.url, width: plan.image.width, height: plan.image.height }}
          label={`${planTexts.edit}: ${name}`}
          drafts={state.drafts}
          selected={selected}
          tool={drawing?.tool ?? null}
          onSelect={(key) => dispatch({ type: 'select', key })}
          onChange={(key, points) => dispatch({ type: 'change', key, points, isContinued: false })}
          onKeyChange={(key, points) => dispatch({ type: 'change', key, points, isContinued: true })}
          onRemove={(key) => dispatch({ type: 'remove', key })}
          onDrawn={onDrawn}
          onCorners={setCorners}
          onCancel={() => setDrawing(null)}
          onUndo={() => dispatch({ type: 'undo' })}
        />
      )}
      {problem?.type === 'conflict' ? (
        <Alert color="orange" role="alert" title={texts.conflict}>
          <Button size="xs" variant="default" onClick={() => void reload()}>
            {texts.reload}
          </Button>
        </Alert>
      ) : (
        <FormProblem problem={problem} />
      )}
      <Group justify="space-between">
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={18} aria-hidden />}
            disabled={!isDirty}
            onClick={() => dispatch({ type: 'undo' })}
          >
            {texts.undo}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            disabled={!selected}
            onClick={() => selected && dispatch({ type: 'remove', key: selected.key })}
          >
            {texts.removeShape}
          </Button>
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={() => (isDirty ? setAsking(true) : onClose())}>
            {texts.cancel}
          </Button>
          <Button loading={isBusy} disabled={!isDirty} onClick={() => void save()}>
            {texts.save}
          </Button>
        </Group>
      </Group>
      {question}
      <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={onClose} />
    </Stack>
  );
}

function hintOf(tool: Tool | undefined, hasSelection: boolean): string {
  if (tool === 'outline') return texts.hintOutline;
  if (tool === 'pin') return texts.hintPin;
  return hasSelection ? texts.hintSelected : texts.hintStart;
}

type QuestionProps = { isOpen: boolean; onKeep: () => void; onDiscard: () => void };

function DiscardQuestion({ isOpen, onKeep, onDiscard }: QuestionProps) {
  return (
    <Modal opened={isOpen} onClose={onKeep} title={texts.discardQuestion}>
      <Stack>
        <Text>{texts.discardConsequence}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onKeep} data-autofocus>
            {texts.keep}
          </Button>
          <Button color="red" onClick={onDiscard}>
            {texts.discard}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
