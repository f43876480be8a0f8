import { t } from '@lingui/core/macro';
import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Outputs } from '../../api/trpc.js';
import { quantity } from '../../ui/quantity.js';

/** What a file would do, or has done. */
export function Summary({ state }: { state: Outputs['imports']['get'] }) {
  const unit = state.kind === 'assets' ? 'asset' : 'location';
  const isApplied = state.status === 'applied';
  const figures = [
    { label: isApplied ? t`Created` : t`To create`, value: quantity(state.to_create ?? 0, unit) },
    { label: isApplied ? t`Changed` : t`To change`, value: quantity(state.to_change ?? 0, unit) },
    { label: t`Unchanged`, value: quantity(state.unchanged ?? 0, unit) },
    {
      label: t`Problems`,
      value: problemText(state),
    },
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {figures.slice(0, isApplied ? 3 : 4).map(({ label, value }) => (
        <Paper key={label} withBorder p="sm">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text fw={600}>{value}</Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function problemText({
  problem_count: count,
  problem_lines: lines,
  warning_count: warnings,
}: Outputs['imports']['get']): string {
  if (!count) return warnings ? quantity(warnings, 'warning') : t`No problems`;
  return t`${quantity(count, 'problem')} on ${quantity(lines ?? 0, 'line')}`;
}
