import { t } from '@lingui/core/macro';
import { Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button.js';
import classes from './copy-field.module.css';
import { lowerCase } from './lower-case.js';

export type CopyFieldProps = { label: string; value: string; multiline?: boolean };

/** A value to type or paste into another program, with a button that copies it. */
export function CopyField({ label, value, multiline = false }: CopyFieldProps) {
  return (
    <div>
      <Text size="sm" fw={550} mb={4}>
        {label}
      </Text>
      <Group gap={4} wrap="nowrap" align="flex-start" className={classes['field']}>
        <code className={classes['value']} data-multiline={multiline} translate="no" tabIndex={0} aria-label={label}>
          {value}
        </code>
        <CopyButton
          value={value}
          tip={{ copy: t`Copy`, copied: t`Copied` }}
          name={{ copy: t`Copy ${lowerCase(label)}`, copied: t`${label}: copied` }}
        />
      </Group>
    </div>
  );
}
