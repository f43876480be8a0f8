import { t } from '@lingui/core/macro';
import { Button, Popover } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { Suspense } from 'react';
import type { ColumnChooserProps } from './column-choice.js';
import { lazyPart } from '../../ui/lazy-part.js';

/** Loaded when it is first opened. */
const ColumnList = lazyPart(() => import('./column-list.js'), 'ColumnList');

/** Chooses the columns and the density of the table. The name is always shown, since it links to the asset. */
export function ColumnChooser({ choice, onChange }: ColumnChooserProps) {
  return (
    <Popover position="bottom-end" trapFocus withRoles returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns size={16} aria-hidden />}>{t`Columns`}</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Columns`}>
        <Suspense>
          <ColumnList choice={choice} onChange={onChange} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
