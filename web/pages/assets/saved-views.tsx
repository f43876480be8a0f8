import { Button, Checkbox, Group, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { IconBookmark, IconChevronDown, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useSession } from '../../session/context.js';
import { UserText } from '../../ui/user-text.js';
import { type ColumnChoice, choiceOf, columnsText } from './column-chooser.js';
import { type AssetSearch, parseAssetSearch } from './search.js';

type View = Outputs['savedViews']['list']['data'][number];

type SavedViewsProps = {
  search: AssetSearch;
  columns: ColumnChoice;
  /** Shows a view: its filters in place of the present ones, and its columns. */
  onShow: (search: AssetSearch, columns: ColumnChoice) => void;
};

/** Lists one's own views and the shared ones, shows them, and saves what is shown now as another one. */
export function SavedViews({ search, columns, onShow }: SavedViewsProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const views = useQuery(trpc.savedViews.list.queryOptions());
  const [isSaving, setSaving] = useState(false);
  const query = queryOf(router, search);
  const shown = views.data?.data.find(
    (view) => view.query === query && view.columns.join('\n') === columnsText(columns).join('\n'),
  );

  function show(view: View): void {
    onShow(parseAssetSearch(router.options.parseSearch?.(`?${view.query}`) ?? {}), choiceOf(view.columns));
  }

  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {shown ? <UserText lines={1}>{shown.name}</UserText> : 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ViewItems label="My views" views={views.data?.data.filter((view) => !view.is_shared)} onShow={show} />
          <ViewItems label="Shared views" views={views.data?.data.filter((view) => view.is_shared)} onShow={show} />
          <Menu.Item onClick={() => setSaving(true)}>Save this view…</Menu.Item>
          {shown && (!shown.is_shared || can('manager')) && <DeleteItem view={shown} />}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isSaving} onClose={() => setSaving(false)} title="Save view">
        <SaveForm query={query} columns={columnsText(columns)} onDone={() => setSaving(false)} />
      </Modal>
    </>
  );
}

/** The filters and the order as the query of an address, without the page. */
function queryOf(router: ReturnType<typeof useRouter>, { offset: _, ...search }: AssetSearch): string {
  return (router.options.stringifySearch?.(search) ?? '').replace(/^\?/, '');
}

type ViewItemsProps = { label: string; views: readonly View[] | undefined; onShow: (view: View) => void };

function ViewItems({ label, views = [], onShow }: ViewItemsProps) {
  if (views.length === 0) return null;
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item key={view.id} onClick={() => onShow(view)}>
          <UserText lines={1}>{view.name}</UserText>
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}

function DeleteItem({ view }: { view: View }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();

  async function remove(): Promise<void> {
    try {
      await api.savedViews.delete.mutate({ id: view.id });
      notifications.show({ message: `View ${view.name} deleted` });
    } catch (error) {
      notifications.show({ color: 'red', message: problemOf(error).detail });
    }
    await answers.invalidateQueries(trpc.savedViews.pathFilter());
  }

  return (
    <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
      Delete view “<UserText>{view.name}</UserText>”
    </Menu.Item>
  );
}

function SaveForm({ query, columns, onDone }: { query: string; columns: string[]; onDone: () => void }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const { can } = useSession();
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { name: '', is_shared: false } });

  async function save({ name, is_shared }: { name: string; is_shared: boolean }): Promise<void> {
    setProblem(null);
    try {
      await api.savedViews.create.mutate({ name: name.trim(), is_shared, query, columns });
      await answers.invalidateQueries(trpc.savedViews.pathFilter());
      notifications.show({ message: `View ${name.trim()} saved` });
      onDone();
    } catch (error) {
      const refused = applyProblem(form, error);
      if (refused?.type === 'conflict') form.setFieldError('name', refused.detail);
      else setProblem(refused);
    }
  }

  return (
    <form onSubmit={form.onSubmit(save)} noValidate aria-label="Save view">
      <Stack>
        <Text size="sm" c="dimmed">
          Saves the current filters, sorting and columns.
        </Text>
        <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
        {can('manager') && (
          <Checkbox
            label="Share with everyone in the organization"
            {...form.getInputProps('is_shared', { type: 'checkbox' })}
          />
        )}
        <FormProblem problem={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            Save view
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
