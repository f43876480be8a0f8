import { type KeyboardEvent, type Ref, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { moved, type Point, resized } from '../geometry.js';
import type { PlanImage } from '../plan-map.js';
import classes from '../plans.module.css';
import { createEditorDrawing, type EditorDrawing, type EditorEvents, type Tool } from './editor-drawing.js';
import type { Draft } from './editor-state.js';

export type EditorHandle = Pick<EditorDrawing, 'finish' | 'middle' | 'focus'>;

export type EditorCanvasProps = EditorEvents & {
  ref: Ref<EditorHandle>;
  image: PlanImage;
  label: string;
  drafts: readonly Draft[];
  selected: Draft | undefined;
  tool: Tool | null;
  /** Called for a step of the keyboard. Successive steps count as one for the undo. */
  onKeyChange: (key: string, points: readonly Point[]) => void;
  onRemove: (key: string) => void;
  /** Places a rectangle instead of drawing it. */
  onPlace: () => void;
  onCancel: () => void;
  onUndo: () => void;
};

/** A step of an arrow key, as a fraction of the image. */
const stepPart = 0.005;

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: [-stepPart, 0],
  ArrowRight: [stepPart, 0],
  ArrowUp: [0, -stepPart],
  ArrowDown: [0, stepPart],
};

/** A plan whose shapes can be drawn and changed by mouse, touch and keyboard. */
export function EditorCanvas(props: EditorCanvasProps) {
  const { ref, image, label, drafts, selected, tool } = props;
  const [drawing, setDrawing] = useState<EditorDrawing | null>(null);
  const latest = useRef<EditorEvents>(props);
  useEffect(() => {
    latest.current = props;
  });
  const { url, width, height } = image;
  const attach = useCallback(
    (node: HTMLDivElement) => {
      const made = createEditorDrawing(
        node,
        { url, width, height },
        {
          onSelect: (key) => latest.current.onSelect(key),
          onChange: (key, points) => latest.current.onChange(key, points),
          onDrawn: (points) => latest.current.onDrawn(points),
          onCorners: (count) => latest.current.onCorners(count),
        },
      );
      setDrawing(made);
      return () => {
        setDrawing(null);
        made.remove();
      };
    },
    [url, width, height],
  );
  useImperativeHandle(ref, () => ({
    finish: () => drawing?.finish(),
    middle: () => drawing?.middle() ?? [0.5, 0.5],
    focus: () => drawing?.focus(),
  }));
  useEffect(() => drawing?.show(drafts, selected?.key ?? null), [drafts, selected?.key, drawing]);
  useEffect(() => drawing?.use(tool), [tool, drawing]);

  /** Runs before Leaflet, where arrow keys move the plan. */
  function onKeyDown(event: KeyboardEvent): void {
    const arrow = arrows[event.key];
    const act = actOf(event, arrow);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  function actOf(event: KeyboardEvent, arrow: Point | undefined): (() => void) | undefined {
    if (event.key === 'Escape' && tool) return props.onCancel;
    if (event.key === 'Enter' && tool === 'area') return props.onPlace;
    if (event.key === 'Enter' && tool === 'outline') return () => drawing?.finish();
    if (event.key === 'z' && (event.ctrlKey || event.metaKey)) return props.onUndo;
    if (!selected || tool) return undefined;
    const { key, points } = selected;
    if (event.key === 'Delete' || event.key === 'Backspace') return () => props.onRemove(key);
    if (event.key === 'Escape') return () => props.onSelect(null);
    if (!arrow) return undefined;
    if (event.shiftKey && points.length > 1) return () => props.onKeyChange(key, resized(points, arrow));
    return () => props.onKeyChange(key, moved(points, arrow));
  }

  return (
    // The focus is on the map inside this element.
    <div className={`${classes['frame']} ${classes['editorFrame']}`} onKeyDownCapture={onKeyDown} role="presentation">
      <div
        key={url}
        ref={attach}
        className={classes['map']}
        role="application"
        aria-label={label}
        data-testid="plan-editor"
      />
    </div>
  );
}
