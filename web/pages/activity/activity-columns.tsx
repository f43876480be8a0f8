import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { EntryChanges } from '../../activity/entry-changes.js';
import { UndoChange } from '../../activity/undo-change.js';
import { UndoButton } from '../../undo/undo-button.js';
import { quantity } from '../../ui/quantity.js';
import type { Entry } from '../../activity/entry.js';
import { actionNames, actorName, entryPointNames, fieldName, kindNames } from '../../activity/words.js';
import type { Column } from '../../ui/data-table.js';
import { AnchorLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

export const activityColumns: Column<Entry>[] = [
  { id: 'when', header: t`When`, width: '9rem', cell: (row) => <When at={row.occurred_at} /> },
  {
    id: 'who',
    header: t`Changed by`,
    cell: (row) => (
      <>
        <UserText>{actorName(row)}</UserText>
        {row.actor && (
          <Text size="xs" c="dimmed">
            {entryPointNames[row.entry_point]}
          </Text>
        )}
      </>
    ),
  },
  { id: 'object', header: t`Object`, cell: (row) => <ObjectName entry={row} /> },
  {
    id: 'change',
    header: t`Changes`,
    cell: (row) => (row.batch ? <BatchChange {...row.batch} /> : <Change entry={row} />),
  },
];

function Change({ entry }: { entry: Entry }) {
  return (
    <>
      <Text size="sm">{actionNames[entry.action]}</Text>
      <EntryChanges entry={entry} />
      <UndoChange entry={entry} />
    </>
  );
}

type Batch = NonNullable<Entry['batch']>;

const batchActions: Record<Batch['kind'], string> = {
  edit: t`Changed`,
  deletion: t`Deleted`,
  import: t`Imported`,
  placement: t`Placed by hand`,
  undo: t`Changes undone`,
};

/** Changes that were made together: which fields an edit changed, and the undo of all. */
function BatchChange({ id, kind, fields, is_undoable: isUndoable, is_undone: isUndone }: Batch) {
  return (
    <>
      <Text size="sm">{isUndone ? t`${batchActions[kind]}, undone` : batchActions[kind]}</Text>
      {fields.length > 0 && (
        <Text size="sm" c="dimmed">
          {fields.map(fieldName).join(', ')}
        </Text>
      )}
      <UndoButton size="compact-xs" what={{ batchIds: [id] }} isOffered={isUndoable} />
    </>
  );
}

function ObjectName({ entry }: { entry: Entry }) {
  const { batch } = entry;
  if (batch && batch.kind !== 'import' && batch.count > 1) {
    // An undo counts changes, of which one asset can have several.
    return <Text size="sm">{quantity(batch.count, batch.kind === 'undo' ? 'change' : batch.object_kind)}</Text>;
  }
  return (
    <>
      <ObjectLink entry={entry} />
      <Text size="xs" c="dimmed">
        {kindNames[entry.kind]}
      </Text>
    </>
  );
}

/** A link to the page of the object; a deleted object has none. */
function ObjectLink({ entry: { kind, action, object_id: id, object_name: name } }: { entry: Entry }) {
  const text = <UserText>{name}</UserText>;
  if (action === 'deleted') return text;
  switch (kind) {
    case 'asset':
      return (
        <AnchorLink to="/assets/$assetId" params={{ assetId: id }}>
          {text}
        </AnchorLink>
      );
    case 'location':
      return (
        <AnchorLink to="/locations/$locationId" params={{ locationId: id }}>
          {text}
        </AnchorLink>
      );
    case 'audit':
      return (
        <AnchorLink to="/audits/$auditId" params={{ auditId: id }}>
          {text}
        </AnchorLink>
      );
    case 'reader':
      return (
        <AnchorLink to="/readers/$readerId" params={{ readerId: id }}>
          {text}
        </AnchorLink>
      );
    case 'alert_rule':
      return (
        <AnchorLink to="/alerts/rules/$ruleId" params={{ ruleId: id }}>
          {text}
        </AnchorLink>
      );
    case 'webhook_endpoint':
      return (
        <AnchorLink to="/alerts/webhooks/$endpointId" params={{ endpointId: id }}>
          {text}
        </AnchorLink>
      );
    case 'api_key':
      return (
        <AnchorLink to="/settings" hash="api-keys">
          {text}
        </AnchorLink>
      );
    case 'member':
    case 'invitation':
      return (
        <AnchorLink to="/settings" hash="members">
          {text}
        </AnchorLink>
      );
    default:
      return text;
  }
}
