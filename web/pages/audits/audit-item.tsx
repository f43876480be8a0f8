import { Badge, Text } from '@mantine/core';
import { AssetLink } from '../../ui/object-links.js';
import { UserText } from '../../ui/user-text.js';
import { type AuditItem, type Outcome, outcomeLabel, outcomes } from './words.js';

/** An asset, or the value of a tag that belongs to nothing. Names are as of the audit. */
export function AuditedName({ item: { asset, name } }: { item: Pick<AuditItem, 'asset' | 'name'> }) {
  if (!asset) {
    return (
      <Text ff="monospace" size="sm" component="span">
        <UserText>{name}</UserText>
      </Text>
    );
  }
  return <AssetLink id={asset.id} name={name} />;
}

export function OutcomeBadge({ outcome }: { outcome: Outcome | null }) {
  const color = outcomes.find(({ name }) => name === outcome)?.color ?? 'gray';
  return (
    <Badge color={color} variant={outcome === null ? 'outline' : 'light'}>
      {outcomeLabel(outcome)}
    </Badge>
  );
}
