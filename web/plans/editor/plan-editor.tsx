import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useReducer, useRef, useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { useImage } from '../../api/use-image.js';
import { useServer } from '../../api/use-server.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ProblemState } from '../../ui/problem-state.js';
import { UserText } from '../../ui/user-text.js';
import { freeRectangle, type Point } from '../geometry.js';
import type { Plan } from '../plan-drawing.js';
import classes from '../plans.module.css';
import { editorTexts as texts, texts as planTexts } from '../texts.js';
import { AreaName } from './area-name.js';
import { EditorCanvas, type EditorHandle } from './editor-canvas.js';
import type { Tool } from './editor-drawing.js';
import { type Draft, isNew, reduce, shapesOf, startOf, type Subject } from './editor-state.js';
import { ShapeChoice, SubjectTools } from './subject-tools.js';
import { ToolButton } from './tool-button.js';

const rectangleSide = 0.2;

type PlanEditorProps = { plan: Plan; name: string; onClose: () => void };

/**
 * The editor of a plan, on the whole screen: draws sublocations and readers. Nothing is stored before the plan is
 * saved.
 */
export function PlanEditor({ plan: newest, name, onClose }: PlanEditorProps) {
  // The plan with which editing began. If somebody else saves the plan meanwhile, saving is refused.
  const [plan] = useState(newest);
  const { trpc, api, refresh } = useServer();
  const image = useImage(plan.image.id);
  const [state, dispatch] = useReducer(reduce, plan, startOf);
  const [drawing, setDrawing] = useState<{ tool: Tool; subject: Subject | null } | null>(null);
  const [corners, setCorners] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const canvas = useRef<EditorHandle>(null);
  const newCount = useRef(0);
  const selected = state.drafts.find(({ key }) => key === state.selectedKey);
  const nameless = state.drafts.find(({ subject }) => subject.name === '');
  const isDirty = state.past.length > 0;
  const { question, release } = useLeaveGuard(isDirty);

  function draw(subject: Subject | null, tool: Tool | 'rectangle'): void {
    if (tool === 'rectangle') placeRectangle(subject);
    else setDrawing({ tool, subject });
    if (tool === 'area') dispatch({ type: 'select', key: null });
    canvas.current?.focus();
  }

  function placeRectangle(subject: Subject | null): void {
    const middle = canvas.current?.middle() ?? [0.5, 0.5];
    const taken = state.drafts.map((draft) => draft.points);
    add(subject, freeRectangle(middle, rectangleSide, taken));
  }

  /** A shape without a subject is a location that is named next. */
  function add(subject: Subject | null, points: readonly Point[]): void {
    newCount.current += 1;
    dispatch({ type: 'add', subject: subject ?? { kind: 'location', id: -newCount.current, name: '' }, points });
    setDrawing(null);
  }

  const save = useMutation({
    mutationFn: async () => {
      const { location_id, updated_at } = plan;
      const drafts: Draft[] = [];
      for (const draft of state.drafts) {
        if (!isNew(draft.subject)) drafts.push(draft);
        else {
          const { data } = await api.locations.create.mutate({ name: draft.subject.name, parent_id: location_id });
          const subject = { ...draft.subject, id: data.id };
          // If a later step fails, the location is not created again.
          dispatch({ type: 'created', key: draft.key, subject });
          drafts.push({ ...draft, subject });
        }
      }
      await api.floorPlans.setShapes.mutate({ location_id, updated_at, shapes: shapesOf(drafts) });
      release();
      await refresh(trpc.floorPlans);
      onClose();
    },
  });

  async function reload(): Promise<void> {
    release();
    await refresh(trpc.floorPlans);
    onClose();
  }

  function leave(): void {
    if (isDirty) setAsking(true);
    else onClose();
  }

  return (
    <Modal.Root
      opened
      fullScreen
      onClose={leave}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes['editor'] ?? '' }}
    >
      <Modal.Content>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Modal.Title fw={600} className={classes['editorTitle'] ?? ''}>
            {planTexts.edit}: <UserText>{name}</UserText>
          </Modal.Title>
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" onClick={leave}>
              {texts.cancel}
            </Button>
            <Button
              loading={save.isPending}
              disabled={!isDirty || nameless !== undefined}
              onClick={() => save.mutate()}
            >
              {texts.save}
            </Button>
          </Group>
        </Group>
        <SubjectTools
          location={{ id: plan.location_id, name }}
          drafts={state.drafts}
          isDrawing={drawing !== null}
          onDraw={draw}
        />
        <Group gap="xs" mih={36} wrap="nowrap">
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
          ) : nameless ? (
            <AreaName
              key={nameless.key}
              location={{ id: plan.location_id, name }}
              drafts={state.drafts}
              onName={(subject) => {
                dispatch({
                  type: 'assign',
                  key: nameless.key,
                  subject: subject.id === 0 ? { ...nameless.subject, name: subject.name } : subject,
                });
                canvas.current?.focus();
              }}
            />
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
          <ToolButton
            icon={IconArrowBackUp}
            label={texts.undo}
            isDisabled={!isDirty}
            onClick={() => dispatch({ type: 'undo' })}
          />
          <ToolButton
            icon={IconTrash}
            label={texts.removeShape}
            isDisabled={!selected}
            onClick={() => selected && dispatch({ type: 'remove', key: selected.key })}
          />
        </Group>
        <Text size="sm" c="dimmed" role="status">
          {hintOf(drawing?.tool, { isNameless: nameless !== undefined, hasSelection: selected !== undefined })}
        </Text>
        {save.error && problemOf(save.error).type === 'conflict' ? (
          <Alert color="orange" role="alert" title={texts.conflict}>
            <Button size="xs" variant="default" onClick={() => void reload()}>
              {texts.reload}
            </Button>
          </Alert>
        ) : (
          <FormProblem error={save.error} />
        )}
        {image.error ? (
          <ProblemState error={image.error} onRetry={image.retry} />
        ) : image.url === undefined ? (
          <Skeleton flex={1} />
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
            onDrawn={(points) => add(drawing?.subject ?? null, points)}
            onPlace={() => placeRectangle(drawing?.subject ?? null)}
            onCorners={setCorners}
            onCancel={() => setDrawing(null)}
            onUndo={() => dispatch({ type: 'undo' })}
          />
        )}
      </Modal.Content>
      {question}
      <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={onClose} />
    </Modal.Root>
  );
}

function hintOf(
  tool: Tool | undefined,
  { isNameless, hasSelection }: { isNameless: boolean; hasSelection: boolean },
): string {
  if (tool === 'area') return texts.hintArea;
  if (tool === 'outline') return texts.hintOutline;
  if (tool === 'pin') return texts.hintPin;
  if (isNameless) return texts.hintName;
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
