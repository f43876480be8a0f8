import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './docs.module.css';

/** Something to copy: a command, or an example as indented JSON. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes['code']}>
      <Group justify="space-between" wrap="nowrap" className={classes['codeHead']}>
        <Text size="xs" fw={600} c="dimmed">
          {label}
        </Text>
        <CopyButton value={text} timeout={2000}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon size="sm" aria-label={copied ? `${label}: copied` : `Copy ${label}`} onClick={copy}>
                {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      {/* A long example scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes['codeText']} role="group" aria-label={label} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
