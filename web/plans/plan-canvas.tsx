import { useCallback, useEffect, useRef, useState } from 'react';
import { statusNames } from '../pages/readers/reader-status.js';
import {
  createPlanDrawing,
  type Plan,
  type PlanCounts,
  type PlanDrawing,
  type PlanMove,
  type PlanPin,
  type PlanReader,
} from './plan-drawing.js';
import classes from './plans.module.css';

/** Delivers moves to show; returns a function that stops this. */
export type MoveSource = (show: (moves: readonly PlanMove[]) => void) => () => void;

export type PlanCanvasProps = {
  plan: Plan;
  imageUrl: string;
  /** Names the plan for screen readers. */
  label: string;
  counts: PlanCounts | undefined;
  readers: readonly PlanReader[];
  pin: PlanPin | null;
  moves: MoveSource;
  onOpenLocation: (id: number) => void;
  onOpenReader: (id: number) => void;
  /** Changes when the whole plan is to be shown again. */
  fitRequest: number;
};

/** A floor plan that can be moved and zoomed. This module and Leaflet are loaded when a plan is shown. */
export function PlanCanvas(props: PlanCanvasProps) {
  const { plan, imageUrl, label, counts, readers, pin, moves, onOpenLocation, onOpenReader, fitRequest } = props;
  const [drawing, setDrawing] = useState<PlanDrawing | null>(null);
  const open = useRef({ onOpenLocation, onOpenReader });
  useEffect(() => {
    open.current = { onOpenLocation, onOpenReader };
  });
  const attach = useCallback(
    (node: HTMLDivElement) => {
      const made = createPlanDrawing(node, {
        image: { url: imageUrl, width: plan.image.width, height: plan.image.height },
        plan,
        onOpenLocation: (id) => open.current.onOpenLocation(id),
        onOpenReader: (id) => open.current.onOpenReader(id),
      });
      setDrawing(made);
      return () => {
        setDrawing(null);
        made.remove();
      };
    },
    [plan, imageUrl],
  );
  useEffect(() => {
    if (counts) drawing?.showCounts(counts);
  }, [counts, drawing]);
  useEffect(() => {
    drawing?.showReaders(readers.map((reader) => ({ ...reader, statusName: statusNames[reader.status] })));
  }, [readers, drawing]);
  useEffect(() => drawing?.showPin(pin), [pin, drawing]);
  useEffect(() => moves((shown) => drawing?.showMoves(shown)), [moves, drawing]);
  useEffect(() => {
    if (fitRequest > 0) drawing?.fit();
  }, [fitRequest, drawing]);
  return (
    <div key={imageUrl} ref={attach} className={classes['map']} role="group" aria-label={label} data-testid="plan" />
  );
}
