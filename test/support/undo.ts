import type { AppCaller } from './scan-world.js';

type Left = Awaited<ReturnType<AppCaller['undo']['changes']>>['left'];

/** Undoes changes that were made together, part by part, as the app does. */
export async function undoBatch(caller: AppCaller, batchId: string | null): Promise<{ takenBack: number; left: Left }> {
  let takenBack = 0;
  const left: Left = [];
  for (let cursor: string | undefined; ; ) {
    const part = await caller.undo.batch({ batch_id: batchId ?? '', ...(cursor !== undefined && { cursor }) });
    takenBack += part.taken_back;
    left.push(...part.left);
    if (part.next === null) return { takenBack, left };
    cursor = part.next;
  }
}

/** Undoes one entry of the activity log. Returns why it was not undone, without the names of the row. */
export async function undoChange(
  caller: AppCaller,
  entry: { id: string; occurred_at: string } | undefined,
  overwrite = false,
) {
  const { id = '1', occurred_at: at = '2000-01-01T00:00:00.000Z' } = entry ?? {};
  const { left } = await caller.undo.changes({ entries: [{ id, occurred_at: at }], overwrite });
  const [first] = left;
  if (!first) return { status: 'done' };
  const { kind: _kind, id: _id, name: _name, entry: _entry, ...why } = first;
  return why;
}
