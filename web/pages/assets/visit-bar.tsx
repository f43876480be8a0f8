import type { Visit } from './visit-list.js';
import classes from './visits.module.css';

/** Eight colors that are told apart, none of which means that something is wrong. */
const colors = ['petrol-7', 'blue-4', 'violet-4', 'teal-4', 'yellow-5', 'grape-3', 'petrol-4', 'pink-3'];

/** Draws the visits of the list below it, oldest on the left, as wide as they are long; each location has one color. */
export function VisitBar({ visits, nowMs }: { visits: readonly Visit[]; nowMs: number }) {
  const locationIds = [...new Set(visits.map(({ location }) => location?.id ?? 0))];
  return (
    <div className={classes['bar']} aria-hidden data-testid="visit-bar">
      {visits.toReversed().map((visit) => {
        const endMs = visit.left_at === null ? nowMs : Date.parse(visit.left_at);
        const id = visit.location?.id ?? 0;
        const color = id === 0 ? 'gray-5' : colors[locationIds.indexOf(id) % colors.length];
        return (
          <div
            key={visit.arrived_at}
            title={visit.location?.name ?? 'No location'}
            style={{
              flexGrow: Math.max(1, endMs - Date.parse(visit.arrived_at)),
              background: `var(--mantine-color-${color})`,
            }}
          />
        );
      })}
    </div>
  );
}
