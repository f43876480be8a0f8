import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { formats, useFormats } from '../../ui/formats.js';
import { durationText } from '../../ui/times.js';
import { UserText } from '../../ui/user-text.js';
import classes from './history.module.css';
import type { LegendItem, Segment, Timeline, TimelineDay } from './timeline.js';

/** Hours that the axis names. */
const ticks = [0, 6, 12, 18, 24];

/**
 * Draws each day as a bar from midnight to midnight, colored by location, with a legend. A click on a day shows only
 * this day. The table below has the same data for people who cannot see the picture.
 */
export function HistoryPicture({
  timeline: { days, legend },
  onDay,
}: {
  timeline: Timeline;
  onDay: (day: string) => void;
}) {
  return (
    <div className={classes['picture']} data-testid="history-picture">
      <Legend items={legend} />
      <div className={classes['days']}>
        {days.map((day) => (
          <DayRow key={day.day} day={day} isAlone={days.length === 1} onDay={onDay} />
        ))}
        <div className={classes['axis']} aria-hidden>
          {ticks.map((hour) => (
            <span key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>
              {`${hour}:00`}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function DayRow({ day, isAlone, onDay }: { day: TimelineDay; isAlone: boolean; onDay: (day: string) => void }) {
  const name = useFormats().weekday.format(day.startMs);
  return (
    <div className={classes['day']}>
      {isAlone ? (
        <span className={classes['name']}>{name}</span>
      ) : (
        <UnstyledButton className={classes['name']} onClick={() => onDay(day.day)}>
          <Trans>
            <VisuallyHidden>Show only </VisuallyHidden>
            {name}
          </Trans>
        </UnstyledButton>
      )}
      <div className={classes['bar']} aria-hidden>
        {day.segments.map((segment) => (
          <div
            key={segment.visit.arrived_at}
            title={segmentText(segment)}
            style={{
              insetInlineStart: `${segment.start * 100}%`,
              width: `${segment.width * 100}%`,
              background: `var(--mantine-color-${segment.color})`,
            }}
          />
        ))}
      </div>
    </div>
  );
}

function segmentText({
  visit: { location, arrived_at: arrived, left_at: left, duration_seconds: seconds },
}: Segment): string {
  const times = left === null ? t`${timeText(arrived)} to now` : t`${timeText(arrived)} to ${timeText(left)}`;
  const length = seconds === null ? '' : ` (${durationText(seconds * 1000)})`;
  return `${location?.name ?? t`No location`}: ${times}${length}`;
}

function timeText(at: string): string {
  return formats().clockSecond.format(Date.parse(at));
}

const shownMax = 8;

function Legend({ items }: { items: readonly LegendItem[] }) {
  const shown = items.slice(0, shownMax);
  const others = items.slice(shownMax);
  const otherMs = others.reduce((sum, { lengthMs }) => sum + lengthMs, 0);
  return (
    <ul className={classes['legend']} aria-label={t`Time at each location`}>
      {shown.map(({ id, name, color, lengthMs }) => (
        <li key={id ?? 0}>
          <span className={classes['swatch']} style={{ background: `var(--mantine-color-${color})` }} aria-hidden />
          <UserText>{name}</UserText> <span className={classes['length']}>{durationText(lengthMs)}</span>
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <Trans>
            <span className={classes['swatch']} style={{ background: 'var(--mantine-color-gray-5)' }} aria-hidden />
            {others.length} other locations <span className={classes['length']}>{durationText(otherMs)}</span>
          </Trans>
        </li>
      )}
    </ul>
  );
}
