import type { Stay } from './timeline.js';
import classes from './timeline.module.css';

/** Eight that are told apart, none of which means that something is wrong. */
const colors = ['petrol-7', 'blue-4', 'violet-4', 'teal-4', 'yellow-5', 'grape-3', 'petrol-4', 'pink-3'];

/** A picture of the stays listed below it, oldest on the left: each as long as it lasted, a location in one colour. */
export function TimelineBar({ stays, nowMs }: { stays: readonly Stay[]; nowMs: number }) {
  const places = [...new Set(stays.map(({ location }) => location?.id ?? 0))];
  return (
    <div className={classes['bar']} aria-hidden data-testid="timeline-bar">
      {stays.toReversed().map((stay) => {
        const endMs = stay.ended_at === null ? nowMs : Date.parse(stay.ended_at);
        const place = stay.location?.id ?? 0;
        const color = place === 0 ? 'gray-5' : colors[places.indexOf(place) % colors.length];
        return (
          <div
            key={stay.started_at}
            title={stay.location?.name ?? 'No location'}
            style={{
              flexGrow: Math.max(1, endMs - Date.parse(stay.started_at)),
              background: `var(--mantine-color-${color})`,
            }}
          />
        );
      })}
    </div>
  );
}
