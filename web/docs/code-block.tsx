import { Group, Text } from '@mantine/core';
import { CopyButton } from '../ui/copy-button.js';
import classes from './docs.module.css';

/** Something to copy: a command, or an example as indented JSON. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes['code']}>
      <Group justify="space-between" wrap="nowrap" className={classes['codeHead']}>
        <Text size="xs" fw={600} c="dimmed">
          {label}
        </Text>
        <CopyButton
          size="sm"
          value={text}
          tip={{ copy: 'Copy', copied: 'Copied' }}
          name={{ copy: `Copy ${label}`, copied: `${label}: copied` }}
        />
      </Group>
      {/* A long example scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes['codeText']} role="group" aria-label={label} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
