import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type AlertItem, eventNames, type Named, namedIn, problemIn, textIn } from '../../alerts/words.js';
import { AnchorLink } from '../../ui/links.js';
import { AssetLink, ReaderLink } from '../../ui/object-links.js';
import { durationText } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';
import { When } from '../../ui/when.js';
import classes from './alert-facts.module.css';

/** The data of an alert's event, with links to the objects in it. */
export function AlertFacts({ alert }: { alert: AlertItem }) {
  const { data, event_type: type } = alert;
  const asset = namedIn(data, 'asset') ?? (type.startsWith('asset.') ? changed(alert) : undefined);
  const location = namedIn(data, 'location') ?? (type.startsWith('location.') ? changed(alert) : undefined);
  const belongsTo = namedIn(data, 'belongs_to');
  const container = namedIn(data, 'container');
  const limit = data['limit_seconds'];
  const antenna = data['antenna'];
  const problem = problemIn(data);
  const isMove = type === 'asset.location_changed';
  const instants = [
    { label: t`Last seen`, at: textIn(data, 'last_seen_at') },
    { label: type === 'asset.dwell_exceeded' ? t`There since` : t`Since`, at: textIn(data, 'since') },
    { label: t`Last message`, at: textIn(data, 'last_message_at') },
  ];
  return (
    <dl className={classes['facts']}>
      <Fact label={t`Event`}>{eventNames[type]}</Fact>
      <Fact label={t`Time`}>
        <When at={textIn(data, 'occurred_at') ?? alert.opened_at} />
      </Fact>
      {asset && (
        <Fact label={t`Asset`}>
          <AssetName asset={asset} isDeleted={type === 'asset.deleted'} />
        </Fact>
      )}
      {isMove && (
        <>
          <Fact label={t`Moved from`}>
            <LocationName location={namedIn(data, 'from')} />
          </Fact>
          <Fact label={t`Moved to`}>
            <LocationName location={namedIn(data, 'to')} />
          </Fact>
        </>
      )}
      {container && (
        <Fact label={t`Container`}>
          <AssetName asset={container} isDeleted={false} />
        </Fact>
      )}
      {belongsTo && (
        <Fact label={t`Belongs to`}>
          <LocationName location={belongsTo} />
        </Fact>
      )}
      {location && (
        <Fact label={t`Location`}>
          <LocationName location={location} isDeleted={type === 'location.deleted'} />
        </Fact>
      )}
      {type === 'tag.unknown' && (
        <Fact label={t`Tag`}>
          <UserText>{textIn(data, 'value') ?? ''}</UserText>
        </Fact>
      )}
      {problem !== undefined && (
        <Fact label={t`Problem`}>
          <UserText>{problem}</UserText>
        </Fact>
      )}
      <ReaderFact reader={namedIn(data, 'reader')} antenna={typeof antenna === 'number' ? antenna : undefined} />
      {namedIn(data, 'user') && (
        <Fact label={problem === undefined ? t`Scanned by` : t`Reported by`}>
          <UserText>{namedIn(data, 'user')?.name}</UserText>
        </Fact>
      )}
      {instants.map(
        ({ label, at }) =>
          at !== undefined && (
            <Fact key={label} label={label}>
              <When at={at} />
            </Fact>
          ),
      )}
      {typeof limit === 'number' && <Fact label={t`Time limit`}>{durationText(limit * 1000)}</Fact>}
    </dl>
  );
}

function changed({ data }: AlertItem): Named | undefined {
  return namedIn(data, 'after') ?? namedIn(data, 'before');
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function AssetName({ asset: { id, name }, isDeleted }: { asset: Named; isDeleted: boolean }) {
  if (id === null || isDeleted) return <UserText>{name}</UserText>;
  return <AssetLink id={id} name={name} />;
}

function LocationName({ location, isDeleted = false }: { location: Named | undefined; isDeleted?: boolean }) {
  if (!location) return <Text c="dimmed">{t`No location`}</Text>;
  const { id, name, path } = location;
  const text = <UserText>{path.length > 0 ? path.join(' › ') : name}</UserText>;
  if (id === null || isDeleted) return text;
  return (
    <AnchorLink to="/locations/$locationId" params={{ locationId: String(id) }}>
      {text}
    </AnchorLink>
  );
}

function ReaderFact({ reader, antenna }: { reader: Named | undefined; antenna: number | undefined }) {
  if (!reader || reader.id === null) return null;
  return (
    <Fact label={t`Reader`}>
      <ReaderLink id={reader.id} name={reader.name} />
      {antenna !== undefined && t`, antenna ${antenna}`}
    </Fact>
  );
}
