import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from '../browser/copy-text.js';

/** How long the button shows that the text was copied. */
const copiedMs = 2000;

export type CopyButtonProps = {
  value: string;
  /** The tooltip and the name of the button, before and after copying. */
  tip: { copy: string; copied: string };
  name: { copy: string; copied: string };
  size?: 'sm' | 'md';
};

/** A button that copies a text. */
export function CopyButton({ value, tip, name, size = 'md' }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const state = isCopied ? 'copied' : 'copy';
  const iconSize = size === 'sm' ? 15 : 18;
  return (
    <Tooltip label={tip[state]}>
      <ActionIcon
        size={size}
        aria-label={name[state]}
        onClick={(event) => {
          const button = event.currentTarget;
          copyText(value).then(
            () => setCopied(true),
            () => setCopied(false),
          );
          button.focus();
        }}
      >
        {isCopied ? <IconCheck size={iconSize} aria-hidden /> : <IconCopy size={iconSize} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
