import { t } from '@lingui/core/macro';
import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type Counted, numberText, quantity } from './quantity.js';

export type PagerProps = {
  limit: number;
  offset: number;
  total: number;
  /** Whether the total is a lower bound, shown with a plus. */
  isAtLeast?: boolean;
  unit: Counted;
  onPage: (offset: number) => void;
  onLimit?: (limit: number) => void;
};

const limits = ['25', '50', '100', '200'];

/** Shows which part of a list is visible, with buttons to the other pages. */
export function Pager({ limit, offset, total, isAtLeast = false, unit, onPage, onLimit }: PagerProps) {
  const last = Math.min(offset + limit, total);
  const count = isAtLeast ? t`${quantity(total, unit)} or more` : quantity(total, unit);
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {total === 0 ? count : t`${numberText(offset + 1)} to ${numberText(last)} of ${count}`}
      </Text>
      <Group gap="xs">
        {onLimit && (
          <NativeSelect
            size="xs"
            aria-label={t`Rows a page`}
            data={limits}
            value={String(limit)}
            onChange={(event) => onLimit(Number(event.currentTarget.value))}
          />
        )}
        <ActionIcon
          aria-label={t`Previous page`}
          disabled={offset === 0}
          onClick={() => onPage(Math.max(0, offset - limit))}
        >
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label={t`Next page`} disabled={last >= total} onClick={() => onPage(offset + limit)}>
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}
