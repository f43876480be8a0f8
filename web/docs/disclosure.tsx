import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import classes from './docs.module.css';

/** A button, and content below it that is rendered only once it is opened. */
export function Disclosure({ label, children }: { label: ReactNode; children: () => ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes['disclosure']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={toggle}
      >
        <IconChevronRight size={16} aria-hidden className={classes['chevron']} />
        <span>{label}</span>
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes['disclosed']}>
          {children()}
        </div>
      )}
    </div>
  );
}
