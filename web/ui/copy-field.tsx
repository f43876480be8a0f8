import { t } from '@lingui/core/macro';
import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
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
        <code className={classes['value']} data-multiline={multiline} tabIndex={0} aria-label={label}>
          {value}
        </code>
        <CopyButton value={value} timeout={2000}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t`Copied` : t`Copy`}>
              <ActionIcon aria-label={copied ? t`${label}: copied` : t`Copy ${lowerCase(label)}`} onClick={copy}>
                {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}
