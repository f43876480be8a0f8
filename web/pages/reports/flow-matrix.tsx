import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { ScrollArea, Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { UserText } from '../../ui/user-text.js';
import classes from './flow-matrix.module.css';
import { noLocation } from './location-cell.js';

const endsMax = 12;

export type Flow = Outputs['reports']['flow']['data'][number];

const caption = t`Moves from a location (rows) to another (columns); darker cells have more moves`;

type End = { id: number; name: string };

/** A matrix of the locations with the most moves. Each cell has its number, so nobody has to distinguish colors. */
export function FlowMatrix({ flows }: { flows: readonly Flow[] }) {
  const ends = busiest(flows);
  const moves = new Map(flows.map(({ from, to, moves: n }) => [`${from?.id ?? 0}-${to?.id ?? 0}`, n]));
  const most = Math.max(1, ...flows.map(({ moves: n }) => n));
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': caption }}>
      <table className={classes['matrix']}>
        <Text component="caption" size="sm" c="dimmed" ta="start">
          {caption}
        </Text>
        <thead>
          <tr>
            <th scope="col">{t`From / to`}</th>
            {ends.map(({ id, name }) => (
              <th key={id} scope="col">
                <UserText lines={1}>{name}</UserText>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ends.map((from) => (
            <tr key={from.id}>
              <th scope="row">
                <UserText lines={1}>{from.name}</UserText>
              </th>
              {ends.map((to) => {
                const n = moves.get(`${from.id}-${to.id}`) ?? 0;
                return (
                  <td key={to.id} style={{ '--share': `${Math.round((n / most) * 70)}%` } as React.CSSProperties}>
                    {n === 0 ? '' : numberText(n)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

/** Returns the locations with the most moves, by name; 0 is no known location. */
function busiest(flows: readonly Flow[]): End[] {
  const totals = new Map<number, End & { moves: number }>();
  for (const { from, to, moves } of flows) {
    for (const end of [from, to]) {
      const { id, name } = end ?? { id: 0, name: noLocation };
      const known = totals.get(id) ?? { id, name, moves: 0 };
      known.moves += moves;
      totals.set(id, known);
    }
  }
  return [...totals.values()]
    .sort((one, other) => other.moves - one.moves)
    .slice(0, endsMax)
    .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
}
