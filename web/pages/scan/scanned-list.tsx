import { t } from '@lingui/core/macro';
import { ActionIcon, Badge, Group, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Suspense } from 'react';
import { type BatchRead, readKey } from '../../scanning/batch.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { UserText } from '../../ui/user-text.js';
import classes from './scan-page.module.css';
import { deciding, type Names } from './use-names.js';

const ReportProblem = lazyPart(() => import('../../problems/report-problem.js'), 'ReportProblem');

export type ScannedListProps = { reads: readonly BatchRead[]; names: Names; onRemove: (key: string) => void };

/** Scans that are not sent yet, latest first. */
export function ScannedList({ reads, names, onRemove }: ScannedListProps) {
  return (
    <section aria-labelledby="scanned">
      <Title order={2} size="h4" id="scanned">{t`Not sent yet`}</Title>
      <ul className={classes['list']} aria-labelledby="scanned">
        {[...reads].reverse().map((read) => {
          const shown = showRead(read, names);
          return (
            <li key={readKey(read)} className={classes['item']}>
              <div className={classes['itemText']}>
                <Text fw={550} component="div">
                  <UserText lines={1}>{shown.name}</UserText>
                </Text>
                <Group gap="xs">
                  {shown.value !== undefined && (
                    <Text size="sm" c="dimmed" ff="monospace" component="div" maw="100%">
                      <UserText lines={1}>{shown.value}</UserText>
                    </Text>
                  )}
                  {shown.note && <Badge color={shown.color}>{shown.note}</Badge>}
                </Group>
              </div>
              {shown.asset && (
                <Suspense>
                  <ReportProblem asset={shown.asset} isIcon />
                </Suspense>
              )}
              <ActionIcon size={44} aria-label={t`Remove ${shown.name}`} onClick={() => onRemove(readKey(read))}>
                <IconTrash size={22} stroke={1.7} aria-hidden />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Shown = { name: string; asset?: { id: number; name: string }; value?: string; note?: string; color: string };

/** Returns a read with what is known about it by now. */
export function showRead(read: BatchRead, names: Names): Shown {
  if (!('value' in read)) return { name: read.name, asset: { id: read.assetId, name: read.name }, color: 'green' };
  const { value } = read;
  const resolution = names.get(value);
  const match = deciding(resolution);
  if (match?.kind === 'asset') {
    const shown = { name: match.name, asset: match, value };
    return match.is_active ? { ...shown, color: 'green' } : { ...shown, note: t`Inactive`, color: 'gray' };
  }
  if (match) return { name: match.name, value, note: t`Location`, color: 'blue' };
  if (resolution === undefined) return { name: value, color: 'gray' };
  if (resolution === 'unanswered') return { name: value, note: t`Identified when sent`, color: 'blue' };
  return { name: value, note: t`Unknown tag`, color: 'red' };
}
