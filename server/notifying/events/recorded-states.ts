import { assetFields, locationFields, recordedRow, viewer } from '../../kernel/fields.js';

/** What an event keeps of a version of an asset or a location: its columns, its tags, and the keys of rows that it refers to. */
type RecordedState = {
  row: Record<string, unknown>;
  tags: unknown[];
  keys: Record<string, unknown> | null;
};

type View = Record<string, unknown>;

const viewAsset = viewer(assetFields, ['tags']);
const viewLocation = viewer(locationFields, ['tags']);

const views = {
  asset: ({ row, tags }: RecordedState): View => viewAsset({ ...recordedRow(assetFields, row), tags }),
  location: ({ row, tags, keys }: RecordedState): View =>
    viewLocation({ ...recordedRow(locationFields, { ...row, ...keys }), tags }),
};

/** Returns the public views before and after a change that the database has recorded, made as REST answers are. */
export function viewStates(
  noun: keyof typeof views,
  recorded: { before?: unknown; after?: unknown },
): { before: View | null; after: View | null } {
  const viewOf = (state: unknown) => (state ? views[noun](state as RecordedState) : null);
  return { before: viewOf(recorded.before), after: viewOf(recorded.after) };
}

/** Returns whether a change is none for receivers: no field of the view differs, except the instant of the change. */
export function looksUnchanged({ before, after }: { before?: unknown; after?: unknown }): boolean {
  if (!before || !after) return false;
  return JSON.stringify({ ...before, updated_at: null }) === JSON.stringify({ ...after, updated_at: null });
}
