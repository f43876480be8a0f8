import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../../api/trpc.js';
import { NowMark } from '../../time/now-mark.js';
import { AnchorLink } from '../../ui/links.js';
import { LocationLink } from '../../ui/object-links.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import classes from './missing-here.module.css';

/** Interval of reloads. A move of any asset can be about a location, and of a large one the answer takes a second. */
const refreshMs = 20_000;

type MissingKind = Outputs['reports']['missing']['by_kind'][number];
type Place = MissingKind['places'][number];

/** The assets that belong to a location and are not there, by kind, with where they are; nothing if none are missing. */
export function MissingHere({ locationId }: { locationId: number }) {
  const trpc = useTRPC();
  const report = useQuery(
    trpc.reports.missing.queryOptions({ location_id: locationId, limit: 1 }, { refetchInterval: refreshMs }),
  );
  if (!report.data || report.data.total_count === 0) return null;
  return (
    <section aria-labelledby="missing-here">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="missing-here">
          <Trans>Missing here: {quantity(report.data.total_count, 'asset')}</Trans>
          <NowMark />
        </Title>
        <AnchorLink to="/reports" search={{ report: 'missing', location_id: locationId }} size="sm">
          <Trans>Show all</Trans>
        </AnchorLink>
      </Group>
      <ul className={classes['kinds']}>
        {report.data.by_kind.map((row) => (
          <li key={row.kind?.id ?? 0}>
            <Text span fw={550}>
              <Trans>
                {numberText(row.assets)} × <UserText>{row.kind?.name ?? t`No kind`}</UserText>
              </Trans>
            </Text>{' '}
            <Places row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where the assets of a kind are. */
function Places({ row: { assets, places } }: { row: MissingKind }) {
  const others = assets - places.reduce((sum, place) => sum + place.assets, 0);
  return (
    <Text span c="dimmed" size="sm">
      {places.map((place, index) => (
        <span key={place.location?.id ?? 0}>
          {index > 0 && ', '}
          <PlaceText place={place} />
        </span>
      ))}
      {others > 0 && t`, ${numberText(others)} elsewhere`}
    </Text>
  );
}

function PlaceText({ place: { location, assets } }: { place: Place }) {
  if (!location) return <Trans>{numberText(assets)} with no known location</Trans>;
  return (
    <Trans>
      {numberText(assets)} in <LocationLink id={location.id} name={location.name} inherit />
    </Trans>
  );
}
