import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useIsPhone } from './use-is-phone.js';

export type FilterPanelProps = {
  /** How many filters are set. */
  count: number;
  children: ReactNode;
};

/** Filters above a list. On a phone they are behind one button, so that the page begins with the list. */
export function FilterPanel({ count, children }: FilterPanelProps) {
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!isPhone) return children;
  return (
    <div>
      <FilterButton count={count} isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)} />
      <div id={id} hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}

type FilterButtonProps = { count: number; isOpen: boolean; controls: string; onToggle: () => void };

/** Shows and hides the filters of a list. */
export function FilterButton({ count, isOpen, controls, onToggle }: FilterButtonProps) {
  return (
    <Button
      variant={isOpen || count > 0 ? 'light' : 'default'}
      leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      {count === 0 ? t`Filters` : t`Filters (${count})`}
    </Button>
  );
}
