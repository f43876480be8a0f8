import { ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';

/** The number of a step, if the order matters, or a mark that the step is done. */
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
