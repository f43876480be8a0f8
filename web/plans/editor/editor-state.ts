import type { Point } from '../geometry.js';
import type { Plan } from '../plan-drawing.js';

/**
 * An object that can be on a plan: a sublocation or a reader. A location with a negative id is created when the plan is
 * saved; its name is empty until it is named.
 */
export type Subject = { kind: 'location' | 'reader'; id: number; name: string };

/** A shape that is being edited; `key` identifies its subject. */
export type Draft = { key: string; subject: Subject; points: readonly Point[] };

export type EditorState = {
  drafts: readonly Draft[];
  /** The previous states, for the undo, the latest last. */
  past: readonly (readonly Draft[])[];
  selectedKey: string | null;
  /** The shape that the last step changed. Successive changes of one shape by keyboard are one step. */
  lastChanged: string | null;
};

export type EditorAction =
  | { type: 'add'; subject: Subject; points: readonly Point[] }
  | { type: 'assign'; key: string; subject: Subject }
  | { type: 'created'; key: string; subject: Subject }
  | { type: 'change'; key: string; points: readonly Point[]; isContinued: boolean }
  | { type: 'remove'; key: string }
  | { type: 'select'; key: string | null }
  | { type: 'undo' };

const stepsMax = 100;

export function keyOf({ kind, id }: Pick<Subject, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

/** Returns whether a location is still to be created. */
export function isNew({ id }: Subject): boolean {
  return id < 0;
}

export function draftsOf(plan: Plan): Draft[] {
  return plan.shapes.map(({ location_id: locationId, reader_id: readerId, name, points }) => {
    const kind = locationId === null ? ('reader' as const) : ('location' as const);
    const subject = { kind, id: locationId ?? readerId ?? 0, name };
    return { key: keyOf(subject), subject, points };
  });
}

export function startOf(plan: Plan): EditorState {
  return { drafts: draftsOf(plan), past: [], selectedKey: null, lastChanged: null };
}

export function reduce(state: EditorState, action: EditorAction): EditorState {
  const { drafts } = state;
  switch (action.type) {
    case 'select':
      return { ...state, selectedKey: action.key, lastChanged: null };
    case 'add': {
      const key = keyOf(action.subject);
      const added = { key, subject: action.subject, points: action.points };
      return { ...step(state, [...drafts.filter((one) => one.key !== key), added]), selectedKey: key };
    }
    case 'assign': {
      const given = assigned(drafts, action);
      return { ...step(state, given), selectedKey: keyOf(action.subject) };
    }
    case 'created':
      return {
        ...state,
        drafts: assigned(drafts, action),
        past: state.past.map((before) => assigned(before, action)),
        selectedKey: state.selectedKey === action.key ? keyOf(action.subject) : state.selectedKey,
      };
    case 'change': {
      const next = drafts.map((one) => (one.key === action.key ? { ...one, points: action.points } : one));
      const isSameStep = action.isContinued && state.lastChanged === action.key;
      const changed = isSameStep ? { ...state, drafts: next } : step(state, next);
      return { ...changed, lastChanged: action.isContinued ? action.key : null };
    }
    case 'remove':
      return {
        ...step(
          state,
          drafts.filter((one) => one.key !== action.key),
        ),
        selectedKey: null,
      };
    case 'undo': {
      const before = state.past.at(-1);
      if (!before) return state;
      const isThere = before.some(({ key }) => key === state.selectedKey);
      return {
        drafts: before,
        past: state.past.slice(0, -1),
        selectedKey: isThere ? state.selectedKey : null,
        lastChanged: null,
      };
    }
  }
}

/** Gives a shape another subject. */
function assigned(drafts: readonly Draft[], { key, subject }: { key: string; subject: Subject }): Draft[] {
  return drafts.map((one) => (one.key === key ? { ...one, key: keyOf(subject), subject } : one));
}

function step(state: EditorState, drafts: readonly Draft[]): EditorState {
  return { ...state, drafts, past: [...state.past, state.drafts].slice(-stepsMax), lastChanged: null };
}

/** Returns the shapes in the form that the service expects. */
export function shapesOf(drafts: readonly Draft[]) {
  return drafts.map(({ subject: { kind, id }, points }) => ({
    ...(kind === 'location' ? { location_id: id } : { reader_id: id }),
    points: points.map(([x, y]): [number, number] => [x, y]),
  }));
}
