import type { Stay } from './timeline.js';
import classes from './timeline.module.css';

const colors = ['petrol', 'orange', 'violet', 'green', 'pink', 'blue', 'yellow', 'grape'];

/** A picture of the stays listed below it, oldest on the left: each as long as it lasted, a location in one colour. */
export function TimelineBar({ stays, nowMs }: { stays: readonly Stay[]; nowMs: number }) {
  const places = [...new Set(stays.map(({ location }) => location?.id ?? 0))];
  return (
    <div className={classes['bar']} aria-hidden data-testid="timeline-bar">
      {stays.toReversed().map((stay) => {
        const endMs = stay.ended_at === null ? nowMs : Date.parse(stay.ended_at);
        const place = stay.location?.id ?? 0;
        const color = place === 0 ? 'gray' : colors[places.indexOf(place) % colors.length];
        return (
          <div
            key={stay.started_at}
            title={stay.location?.name ?? 'No location'}
            style={{
              flexGrow: Math.max(1, endMs - Date.parse(stay.started_at)),
              background: `var(--mantine-color-${color}-filled)`,
            }}
          />
        );
      })}
    </div>
  );
}
