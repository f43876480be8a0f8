import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import { fieldNames } from './asset-values.js';
import { UndoRefused } from './undo-refused.js';
import { useUndo } from './use-undo.js';

type Edit = Outputs['bulkEdits']['list']['data'][number];

/** Bulk changes of the last day by anybody, which can be undone. Renders nothing if there are none. */
export function RecentEdits() {
  const trpc = useTRPC();
  const edits = useQuery(trpc.bulkEdits.list.queryOptions());
  const { isBusy, problem, refusal, undo, dismiss } = useUndo();
  const [isOpen, setOpen] = useState(false);
  const shown = edits.data?.data ?? [];

  async function undoOne({ id }: Edit): Promise<void> {
    if ((await undo({ editIds: [id] })) !== undefined) setOpen(false);
  }

  return (
    <>
      {shown.length > 0 && (
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus withRoles returnFocus width={340}>
          <Popover.Target>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => setOpen(!isOpen)}
            >
              <Trans>Undo</Trans>
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="sm" mah="50vh" style={{ overflowY: 'auto' }}>
              <Text size="xs" c="dimmed">{t`Bulk changes of the last 24 hours`}</Text>
              <FormProblem problem={problem} />
              {shown.map((edit) => (
                <Group key={edit.id} justify="space-between" wrap="nowrap" align="flex-start">
                  <div>
                    <Text size="sm">
                      {quantity(edit.asset_count, 'asset')}: {edit.fields.map((field) => fieldNames[field]).join(', ')}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {edit.is_own ? (
                        <Trans>
                          <When at={edit.created_at} /> by you
                        </Trans>
                      ) : (
                        <Trans>
                          <When at={edit.created_at} /> by <UserText>{edit.actor_name ?? t`a former member`}</UserText>
                        </Trans>
                      )}
                    </Text>
                  </div>
                  <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void undoOne(edit)}>
                    <Trans>Undo</Trans>
                  </Button>
                </Group>
              ))}
            </Stack>
          </Popover.Dropdown>
        </Popover>
      )}
      {refusal && <UndoRefused refusal={refusal} onDismiss={dismiss} />}
    </>
  );
}
