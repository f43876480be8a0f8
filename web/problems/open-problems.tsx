import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../api/errors.js';
import type { Outputs } from '../api/trpc.js';
import { useSession } from '../session/context.js';
import { showUndoNotice } from '../ui/undo-notice.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import { useMarkProblem } from './use-mark-problem.js';

type Asset = Pick<Outputs['assets']['detail'], 'id' | 'problems'>;

/** Lists the open problems of an asset. Managers and the person who reported a problem can resolve it. */
export function OpenProblems({ asset: { id, problems } }: { asset: Asset }) {
  const { user, can } = useSession();
  const { mark } = useMarkProblem(id);

  async function resolve(problemId: number): Promise<void> {
    try {
      await mark(problemId, true);
      showUndoNotice(t`Problem resolved`, async () => {
        await mark(problemId, false);
        return t`The problem is open again`;
      });
    } catch (error) {
      const { title, detail } = problemOf(error);
      notifications.show({ color: 'red', message: `${title}. ${detail}` });
    }
  }

  if (problems.length === 0) return <Text c="dimmed">{t`No open problems`}</Text>;
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {problems.map(({ id: problemId, text, reported_at: at, reported_by: by }) => (
        <Group key={problemId} component="li" justify="space-between" align="flex-start" wrap="nowrap">
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text fw={550} component="div">
              <UserText>{text}</UserText>
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <UserText>{by?.name ?? t`Former member`}</UserText>, <When at={at} />
            </Text>
          </div>
          {(can('manager') || by?.id === user.id) && (
            <Button size="xs" variant="default" style={{ flex: 'none' }} onClick={() => void resolve(problemId)}>
              <Trans>Resolve</Trans>
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}
