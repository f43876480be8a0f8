import { ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';

/** The number of a step, if its order matters, or that it is done. */
export function StepState({ number, isDone }: { number?: number; isDone: boolean }) {
  if (!isDone) {
    return (
      <ThemeIcon radius="xl" variant="light">
        {number}
      </ThemeIcon>
    );
  }
  return (
    <ThemeIcon radius="xl" color="green">
      <IconCheck size={18} aria-hidden />
    </ThemeIcon>
  );
}
