import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Removes one row of a list in a form. The label names the row. */
export function RemoveRowButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon aria-label={label} onClick={onClick}>
      <IconTrash size={18} aria-hidden />
    </ActionIcon>
  );
}

type AddRowButtonProps = { children: ReactNode; disabled?: boolean; onClick: () => void };

/** Adds a row to a list in a form. */
export function AddRowButton({ children, disabled = false, onClick }: AddRowButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      disabled={disabled}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
