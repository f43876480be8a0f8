import { useQuery } from '@tanstack/react-query';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { type Draft, keyOf, type Subject } from './editor-state.js';

const pageSize = 200;
/** The most subjects of a plan. */
const subjectsMax = 1000;

export type ListedSubject = Subject & {
  /** The parent location, which distinguishes subjects with the same name. */
  within: string | undefined;
};

/** Returns the sublocations of a location in the order of the tree, and the readers of the organization by name. */
export function useSubjects(location: { id: number; name: string }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const input = { location_id: location.id };
  return useQuery({
    queryKey: [...trpc.locations.descendants.queryKey(input), 'all'],
    queryFn: async ({ signal }): Promise<ListedSubject[]> => {
      const locations = await allPages((offset) =>
        api.locations.descendants.query({ ...input, limit: pageSize, offset }, { signal }),
      );
      const readers = await allPages((offset) => api.readers.overview.query({ limit: pageSize, offset }, { signal }));
      const names = new Map([[location.id, location.name], ...locations.map(({ id, name }) => [id, name] as const)]);
      return [
        ...locations.map(({ id, name, parent_id: parentId }) => ({
          kind: 'location' as const,
          id,
          name,
          within: parentId === null ? undefined : names.get(parentId),
        })),
        ...readers.map(({ id, name, location }) => ({ kind: 'reader' as const, id, name, within: location?.name })),
      ];
    },
  });
}

/** Returns the subjects that are not on the plan yet. */
export function leftOf(subjects: readonly ListedSubject[], drafts: readonly Draft[]): ListedSubject[] {
  const drawn = new Set(drafts.map(({ key }) => key));
  return subjects.filter((subject) => !drawn.has(keyOf(subject)));
}

export function labelOf({ name, within }: ListedSubject): string {
  return within === undefined ? name : `${name} (${within})`;
}

async function allPages<Item>(
  ask: (offset: number) => Promise<{ data: Item[]; total_count: number }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const { data, total_count: total } = await ask(items.length);
    items.push(...data);
    if (data.length === 0 || items.length >= Math.min(total, subjectsMax)) return items;
  }
}
