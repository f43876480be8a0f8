import { useState } from 'react';
import { useSession } from '../session/context.js';
import { UndoButton } from '../undo/undo-button.js';
import type { Entry } from './entry.js';
import { restorableFields } from './words.js';

const restorableActions = new Set<Entry['action']>([
  'updated',
  'deleted',
  'placed',
  'tag_attached',
  'tag_detached',
  'put_in',
  'taken_out',
]);

const dayMs = 86_400_000;
/** As long as the service can undo a change. */
const undoneDays = 30;

/** Renders nothing for a change that cannot be undone, or for people who may not change anything. */
export function UndoChange({ entry }: { entry: Entry }) {
  const { can } = useSession();
  const [nowMs] = useState(() => Date.now());
  const { kind, action, before, after, id, occurred_at: at } = entry;
  const fields = [...Object.keys(before), ...Object.keys(after)];
  if (kind !== 'asset' && kind !== 'location') return null;
  if (!can('manager') || !restorableActions.has(action)) return null;
  if (!fields.some((field) => field === 'location' || field in restorableFields)) return null;
  if (nowMs - Date.parse(at) > undoneDays * dayMs) return null;
  return <UndoButton size="compact-xs" what={{ entries: [{ id, occurred_at: at }] }} />;
}
