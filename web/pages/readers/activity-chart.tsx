import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { quantity } from '../../ui/quantity.js';
import classes from './readers.module.css';

const barWidth = 10;
const height = 120;

type ActivityChartProps = { reads: readonly number[]; rejected: readonly number[] };

/** A reader's last hour: for each minute a bar for reads, and below it a bar for messages that could not be parsed. */
export function ActivityChart({ reads, rejected }: ActivityChartProps) {
  const total = sum(reads);
  const lost = sum(rejected);
  const most = Math.max(...reads, 1);
  const summary = t`${quantity(total, 'read')} and ${quantity(lost, 'rejected message')} in the last 60 minutes`;
  return (
    <div>
      <svg
        className={classes['chart']}
        viewBox={`0 0 ${reads.length * barWidth} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t`${summary}, at most ${quantity(Math.max(...reads, 0), 'read')} a minute`}
      >
        {reads.map((count, index) => (
          <Bar key={index} index={index} length={(count / most) * (height - 14)} foot={height - 8} />
        ))}
        <g className={classes['rejectedBar']}>
          {rejected.map((count, index) => (
            <Bar key={index} index={index} length={count > 0 ? 6 : 0} foot={height} />
          ))}
        </g>
      </svg>
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="xs" c="dimmed">{t`60 minutes ago`}</Text>
        <Text size="xs" c="dimmed">
          {summary}
        </Text>
        <Text size="xs" c="dimmed">{t`now`}</Text>
      </Group>
    </div>
  );
}

type BarProps = { index: number; length: number; foot: number };

function Bar({ index, length, foot }: BarProps) {
  if (length === 0) return null;
  const drawn = Math.max(length, 2);
  return <rect x={index * barWidth + 1} y={foot - drawn} width={barWidth - 2} height={drawn} fill="currentColor" />;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
