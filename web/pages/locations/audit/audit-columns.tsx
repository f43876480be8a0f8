import { AssetLink } from '../../../ui/object-links.js';
import { numberText } from '../../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { UserText } from '../../../ui/user-text.js';
import { NotMovedBadge, notMovedText } from '../../../scanning/not-moved.js';
import type { AuditResult, Expected, NotMoved } from './audit-model.js';
import { expectedText, unexpectedText } from './audit-texts.js';
import classes from './audit.module.css';

/** A person who walks around with a scanner does not need more rows on a page. */
const shownMax = 100;

type AuditColumnsProps = {
  result: AuditResult;
  onTick?: (asset: Expected) => void;
  /** The assets that were not moved, with the location where each was seen later. */
  notMoved?: NotMoved;
};

/** The assets that were found, are missing or unexpected, and the unassigned tags. */
export function AuditColumns({
  result: { found, missing, unexpected, unknown, unanswered },
  onTick,
  notMoved = new Map(),
}: AuditColumnsProps) {
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <AuditColumn
        id="missing"
        title={t`Missing`}
        color="red"
        total={missing.length}
        empty={t`Nothing is missing.`}
        items={missing.map((asset) => (
          <AuditItem key={asset.id} name={asset.name} id={asset.id} detail={expectedText(asset)}>
            {onTick && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t`Mark found: ${asset.name}`}
                onClick={() => onTick(asset)}
              >
                <Trans>Mark found</Trans>
              </Button>
            )}
          </AuditItem>
        ))}
      />
      <AuditColumn
        id="found"
        title={t`Found`}
        color="green"
        total={found.length}
        empty={t`Nothing found yet.`}
        items={found.map((asset) => (
          <ScannedItem key={asset.id} asset={asset} detail={expectedText(asset)} notMoved={notMoved} />
        ))}
      />
      <AuditColumn
        id="unexpected"
        title={t`Unexpected`}
        color="orange"
        total={unexpected.length + unknown.length + unanswered.length}
        empty={t`Nothing unexpected.`}
        items={[
          ...unexpected.map(({ key, asset, whereName, belongsTo }) => (
            <ScannedItem key={key} asset={asset} detail={unexpectedText(whereName, belongsTo)} notMoved={notMoved} />
          )),
          ...unknown.map((value) => (
            <AuditItem key={`u${value}`} name={value} detail={t`Unassigned`}>
              <Badge color="red">{t`Unknown tag`}</Badge>
            </AuditItem>
          )),
          ...unanswered.map((value) => (
            <AuditItem key={`n${value}`} name={value} detail={t`Will be identified when online`} />
          )),
        ]}
      />
    </SimpleGrid>
  );
}

type ColumnProps = { id: string; title: string; color: string; total: number; empty: string; items: ReactNode[] };

/** One of the lists of an audit, with its count; shows up to 100 items. */
export function AuditColumn({ id, title, color, total, empty, items }: ColumnProps) {
  const shown = items.slice(0, shownMax);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={`audit-${id}`}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id={`audit-${id}`}>
          {title}
        </Title>
        <Badge size="lg" color={color} data-testid={`${id}-count`}>
          {numberText(total)}
        </Badge>
      </Group>
      {total === 0 ? <Text c="dimmed">{empty}</Text> : <ul className={classes['list']}>{shown}</ul>}
      {total > shown.length && (
        <Text size="sm" c="dimmed" mt="xs">
          <Trans>and {numberText(total - shown.length)} more</Trans>
        </Text>
      )}
    </Paper>
  );
}

type ScannedItemProps = { asset: { id: number; name: string }; detail: string; notMoved: NotMoved };

function ScannedItem({ asset: { id, name }, detail, notMoved }: ScannedItemProps) {
  const staysAt = notMoved.get(id);
  if (staysAt === undefined) return <AuditItem name={name} id={id} detail={detail} />;
  return (
    <AuditItem name={name} id={id} detail={notMovedText(staysAt)}>
      <NotMovedBadge />
    </AuditItem>
  );
}

type ItemProps = { name: string; id?: number; detail: string; children?: ReactNode };

/** An asset or a tag in a list of an audit. */
export function AuditItem({ name, id, detail, children }: ItemProps) {
  return (
    <li className={classes['item']}>
      <div className={classes['text']}>
        {id === undefined ? (
          <Text ff="monospace" size="sm" component="div">
            <UserText lines={1}>{name}</UserText>
          </Text>
        ) : (
          <AssetLink id={id} name={name} fw={550} lines={1} />
        )}
        <Text size="sm" c="dimmed" component="div">
          <UserText lines={1}>{detail}</UserText>
        </Text>
      </div>
      {children}
    </li>
  );
}
