import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { EntryChanges } from '../../activity/entry-changes.js';
import type { Entry } from '../../activity/entry.js';
import { actionNames, actorName, entryPointNames, kindNames } from '../../activity/words.js';
import type { ColumnDef } from '../../ui/data-table.js';
import { AnchorLink } from '../../ui/links.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';

export const activityColumns: ColumnDef<Entry>[] = [
  { id: 'when', header: t`When`, meta: { width: '9rem' }, cell: ({ row }) => <When at={row.original.occurred_at} /> },
  {
    id: 'who',
    header: t`Changed by`,
    cell: ({ row: { original } }) => (
      <>
        <UserText>{actorName(original)}</UserText>
        {original.actor && (
          <Text size="xs" c="dimmed">
            {entryPointNames[original.entry_point]}
          </Text>
        )}
      </>
    ),
  },
  { id: 'object', header: t`Object`, cell: ({ row }) => <ObjectName entry={row.original} /> },
  {
    id: 'change',
    header: t`Change`,
    cell: ({ row: { original } }) => (
      <>
        <Text size="sm">{actionNames[original.action]}</Text>
        <EntryChanges entry={original} />
      </>
    ),
  },
];

function ObjectName({ entry }: { entry: Entry }) {
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
