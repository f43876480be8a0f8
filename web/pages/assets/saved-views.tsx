import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBookmark, IconChevronDown, IconMail, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { problemOf } from '../../api/errors.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { useCanEmail } from '../../emails/use-emails.js';
import { useSession } from '../../session/context.js';
import { showUndoNotice } from '../../ui/undo-notice.js';
import { UserText } from '../../ui/user-text.js';
import { type ColumnChoice, choiceOf, columnsText } from './column-choice.js';
import { type AssetSearch, parseAssetSearch } from './search.js';
import { lazyPart } from '../../ui/lazy-part.js';

/** Loaded when a view is saved. */
const SaveViewForm = lazyPart(() => import('./save-view-form.js'), 'SaveViewForm');

const EmailDialog = lazyPart(() => import('../../emails/email-dialog.js'), 'EmailDialog');

type View = Outputs['savedViews']['list']['data'][number];

type SavedViewsProps = {
  search: AssetSearch;
  columns: ColumnChoice;
  /** Shows a view: replaces the present filters and columns. */
  onShow: (search: AssetSearch, columns: ColumnChoice) => void;
};

/**
 * Lists the person's own and the shared views, shows them, and saves the present filters and columns as another view.
 */
export function SavedViews({ search, columns, onShow }: SavedViewsProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const views = useQuery(trpc.savedViews.list.queryOptions());
  const [isSaving, setSaving] = useState(false);
  const [emailed, setEmailed] = useState<View | null>(null);
  const query = queryOf(router, search);
  const canEmail = useCanEmail();
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
            {shown ? <UserText lines={1}>{shown.name}</UserText> : t`Views`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ViewItems label={t`My views`} views={views.data?.data.filter((view) => !view.is_shared)} onShow={show} />
          <ViewItems label={t`Shared views`} views={views.data?.data.filter((view) => view.is_shared)} onShow={show} />
          <Menu.Item onClick={() => setSaving(true)}>{t`Save this view…`}</Menu.Item>
          {shown && canEmail && (
            <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={() => setEmailed(shown)}>
              {t`Email this view…`}
            </Menu.Item>
          )}
          {shown && (!shown.is_shared || can('manager')) && <DeleteItem view={shown} />}
        </Menu.Dropdown>
      </Menu>
      {isSaving && (
        <Suspense>
          <SaveViewForm query={query} columns={columnsText(columns)} onDone={() => setSaving(false)} />
        </Suspense>
      )}
      {emailed && (
        <Suspense>
          <EmailDialog subject={{ view: emailed }} onDone={() => setEmailed(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Returns the filters and the order as the query of an address, without the page. */
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
  const { trpc, api, refresh } = useServer();

  async function remove(): Promise<void> {
    try {
      await api.savedViews.delete.mutate({ id: view.id });
      showUndoNotice(t`View ${view.name} deleted`, async () => {
        await api.savedViews.restore.mutate({ id: view.id });
        await refresh(trpc.savedViews);
        return t`View ${view.name} restored`;
      });
    } catch (error) {
      notifications.show({ color: 'red', message: problemOf(error).detail });
    }
    await refresh(trpc.savedViews);
  }

  return (
    <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
      <Trans>
        Delete view “<UserText>{view.name}</UserText>”
      </Trans>
    </Menu.Item>
  );
}
