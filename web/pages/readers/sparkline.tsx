import { t } from '@lingui/core/macro';
import { quantity } from '../../ui/quantity.js';
import classes from './readers.module.css';

const width = 120;
const height = 24;

/** The reads of the last hour, minute by minute, as a line without axes. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 1);
  const total = values.reduce((sum, value) => sum + value, 0);
  const step = width / Math.max(values.length - 1, 1);
  const points = values
    .map((value, index) => `${index * step},${height - 1 - (value / most) * (height - 3)}`)
    .join(' ');
  return (
    <svg
      className={classes['spark']}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t`${quantity(total, 'read')} in the last hour`}
    >
      <polyline points={points} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  );
}
