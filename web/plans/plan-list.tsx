import { LocationLink, ReaderLink } from '../ui/object-links.js';
import { numberText } from '../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { Table, Text } from '@mantine/core';
import { StatusLight } from '../pages/readers/reader-status.js';
import { AnchorLink } from '../ui/links.js';
import type { Plan } from './plan-drawing.js';
import { texts } from './texts.js';
import type { PlanScene } from './use-plan.js';

/** The contents of a plan as tables. */
export function PlanList({ plan, scene }: { plan: Plan; scene: PlanScene }) {
  const { counts, away, total, readers } = scene;
  const hasAway = away !== undefined && Array.from(away.values()).some((count) => count > 0);
  const locations = plan.shapes.flatMap(({ location_id: id, name }) => (id === null ? [] : [{ id, name }]));
  // Assets in a shape within another shape are counted in the outer shape.
  const outermost = plan.shapes.filter((shape) => shape.outer_location_id === null);
  const shown = outermost.reduce((sum, { location_id: id }) => sum + (counts?.get(id ?? 0) ?? 0), 0);
  return (
    <>
      <Table captionSide="top">
        <Table.Caption>{texts.listCaption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Location`}</Table.Th>
            <Table.Th ta="end">{t`Assets`}</Table.Th>
            {hasAway && <Table.Th ta="end">{t`Away`}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {locations.map(({ id, name }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <LocationLink id={id} name={name} />
              </Table.Td>
              <Table.Td ta="end">{numberText(counts?.get(id) ?? 0)}</Table.Td>
              {hasAway && (
                <Table.Td ta="end">
                  <AwayCount id={id} name={name} count={away.get(id) ?? 0} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
          {total !== undefined && total > shown && (
            <Table.Tr>
              <Table.Td>
                <Text c="dimmed" size="sm">
                  {texts.elsewhere}
                </Text>
              </Table.Td>
              <Table.Td ta="end">{numberText(total - shown)}</Table.Td>
              {hasAway && <Table.Td />}
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
      {readers.length > 0 && (
        <Table captionSide="top">
          <Table.Caption>{texts.readersCaption}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Reader`}</Table.Th>
              <Table.Th>{t`Status`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {readers.map(({ id, name, status }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <ReaderLink id={id} name={name} />
                </Table.Td>
                <Table.Td>
                  <StatusLight status={status} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}

/** How many assets belong to a location and are elsewhere, with a link to them. */
function AwayCount({ id, name, count }: { id: number; name: string; count: number }) {
  if (count === 0) return numberText(0);
  return (
    <AnchorLink
      to="/reports"
      search={{ report: 'missing', location_id: id }}
      aria-label={t`Away from ${name}: ${numberText(count)}`}
    >
      {numberText(count)}
    </AnchorLink>
  );
}
