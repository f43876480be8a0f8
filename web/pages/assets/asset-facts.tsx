import { t } from '@lingui/core/macro';
import { Code, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import classes from './asset-facts.module.css';
import { AssetState } from './asset-state.js';
import { BelongsToFact } from './belongs-to-fact.js';
import { KindFact } from './kind-fact.js';
import type { AssetDetail } from './asset-values.js';

/** Lists the fields of an asset. */
export function AssetFacts({ asset }: { asset: AssetDetail }) {
  const facts: [string, ReactNode][] = [
    [t`Key`, <UserText key="key">{asset.external_key}</UserText>],
    [t`Kind`, <KindFact key="kind" asset={asset} />],
    [t`Belongs to`, <BelongsToFact key="belongs-to" asset={asset} />],
    [t`Status`, <AssetState key="state" asset={asset} />],
    [t`Description`, asset.description === null ? <None /> : <Description text={asset.description} />],
    [t`Valid from`, <When key="from" at={asset.valid_from} />],
    [t`Valid until`, <When key="to" at={asset.valid_to} never={t`No end date`} />],
    [t`Created`, <When key="created" at={asset.created_at} />],
    [t`Changed`, <When key="changed" at={asset.updated_at} />],
    ...Object.entries(asset.metadata).map(([key, value]): [string, ReactNode] => [
      key,
      typeof value === 'string' ? (
        <UserText>{value}</UserText>
      ) : (
        <Code className={classes['json']}>{JSON.stringify(value)}</Code>
      ),
    ]),
  ];
  return (
    <dl className={classes['facts']}>
      {facts.map(([name, value], index) => (
        // Metadata may have the name of a field.
        <Fragment key={index}>
          <dt>
            <UserText>{name}</UserText>
          </dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Description({ text }: { text: string }) {
  return (
    <span className={classes['description']}>
      <UserText>{text}</UserText>
    </span>
  );
}

function None() {
  return <Text c="dimmed" component="span">{t`None`}</Text>;
}
