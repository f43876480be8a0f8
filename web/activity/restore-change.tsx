import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../api/errors.js';
import { type Outputs, useTRPC, useTRPCClient } from '../api/trpc.js';
import { useSession } from '../session/context.js';
import { failureText } from '../trash/restore-text.js';
import type { Entry } from './entry.js';
import { fieldName, restorableFields } from './words.js';

const restorableActions = new Set<Entry['action']>(['updated', 'tag_attached', 'tag_detached']);

/** Renders nothing for a change that cannot be undone, or for people who may not change anything. */
export function RestoreChange({ entry }: { entry: Entry }) {
  const { can } = useSession();
  const { kind, action, before, after } = entry;
  const fields = [...Object.keys(before), ...Object.keys(after)];
  if (kind !== 'asset' && kind !== 'location') return null;
  if (!can('manager') || !restorableActions.has(action)) return null;
  if (!fields.some((field) => field === 'tag' || field in restorableFields)) return null;
  return <RestoreButton entry={entry} kind={kind} />;
}

/** Why a change was not undone. `fields` have other values by now, and can be restored anyway. */
type Refusal = { text: string; fields: readonly string[] };

function RestoreButton({ entry, kind }: { entry: Entry; kind: 'asset' | 'location' }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();

  async function act(overwrite: boolean): Promise<void> {
    setBusy(true);
    try {
      const { id, object_id: objectId, occurred_at: at } = entry;
      const what = { kind, object_id: Number(objectId), entry_id: id, occurred_at: at, overwrite };
      const result = await api.trash.restoreChange.mutate(what);
      setRefusal(refusalOf(result));
      if (result.status === 'done') notifications.show({ message: t`Former values restored` });
    } catch (error) {
      setRefusal({ text: problemOf(error, entry.object_name).detail, fields: [] });
    } finally {
      setBusy(false);
      for (const router of [trpc.assets, trpc.locations, trpc.activity]) {
        void answers.invalidateQueries(router.pathFilter());
      }
    }
  }

  const close = () => setRefusal(undefined);
  return (
    <>
      <Group>
        <Button size="compact-xs" variant="default" loading={isBusy} onClick={() => void act(false)}>
          <Trans>Restore</Trans>
        </Button>
      </Group>
      <Modal opened={refusal !== undefined} onClose={close} title={t`Nothing was restored`}>
        {refusal && (
          <Stack>
            <Text>{refusal.text}</Text>
            {refusal.fields.length > 0 && (
              <>
                <List size="sm">
                  {refusal.fields.map((field) => (
                    <List.Item key={field}>{fieldName(field)}</List.Item>
                  ))}
                </List>
                <Group justify="flex-end">
                  <Button variant="default" onClick={close}>{t`Cancel`}</Button>
                  <Button loading={isBusy} onClick={() => void act(true)}>{t`Restore anyway`}</Button>
                </Group>
              </>
            )}
          </Stack>
        )}
      </Modal>
    </>
  );
}

function refusalOf(result: Outputs['trash']['restoreChange']): Refusal | undefined {
  if (result.status === 'done') return undefined;
  if (result.status === 'failed') return { text: failureText(result), fields: [] };
  return { text: t`These were changed again since then:`, fields: result.fields };
}
