import { ActionIcon, Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

type ToolButtonProps = {
  icon: Icon;
  label: string;
  variant?: 'default' | 'filled';
  isDisabled: boolean;
  onClick: () => void;
};

/** A button that shows only its icon on a phone. */
export function ToolButton({ icon: Picture, label, variant = 'default', isDisabled, onClick }: ToolButtonProps) {
  const shared = { variant, disabled: isDisabled, onClick };
  return (
    <>
      <Button {...shared} leftSection={<Picture size={18} aria-hidden />} visibleFrom="sm">
        {label}
      </Button>
      <ActionIcon
        {...shared}
        color={variant === 'filled' ? 'petrol' : 'gray'}
        size="lg"
        aria-label={label}
        title={label}
        hiddenFrom="sm"
      >
        <Picture size={20} aria-hidden />
      </ActionIcon>
    </>
  );
}
