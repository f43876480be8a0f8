import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { ProblemState } from '../ui/problem-state.js';
import { UserText } from '../ui/user-text.js';
import { When } from '../ui/when.js';
import classes from './activity.module.css';
import { EntryChanges } from './entry-changes.js';
import { useActivity } from './use-activity.js';
import type { Entry } from './entry.js';
import { UndoChange } from './undo-change.js';
import { actionNames, actorName, entryPointNames } from './words.js';

const pageSize = 5;

type ObjectActivityProps = {
  kind: Entry['kind'];
  objectId: number;
  /** A text that changes when the object changes. */
  version: string;
};

/** Lists who changed one object, newest first, and loads earlier changes on request. */
export function ObjectActivity({ kind, objectId, version }: ObjectActivityProps) {
  const found = useActivity({ kind, object_id: String(objectId) }, { limit: pageSize, version });
  if (found.error && !found.data) return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={120} aria-busy="true" />;
  const entries = found.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0) return <Text c="dimmed">{t`Changes of the last year appear here.`}</Text>;
  return (
    <Stack gap="sm">
      <ol className={classes['entries']} aria-label={t`Changes, newest first`}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <Text size="sm" fw={550}>
              {actionNames[entry.action]}
            </Text>
            <EntryChanges entry={entry} />
            <UndoChange entry={entry} />
            <Text size="xs" c="dimmed">
              <UserText>{actorName(entry)}</UserText>
              {entry.actor && `, ${entryPointNames[entry.entry_point]}`}, <When at={entry.occurred_at} />
            </Text>
          </li>
        ))}
      </ol>
      {found.hasNextPage && (
        <Group>
          <Button
            size="xs"
            variant="default"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            <Trans>Earlier changes</Trans>
          </Button>
        </Group>
      )}
    </Stack>
  );
}
