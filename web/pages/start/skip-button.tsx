import { Button } from '@mantine/core';

export function SkipButton({ onSkip }: { onSkip: () => void }) {
  return (
    <Button variant="subtle" onClick={onSkip}>
      Skip this step
    </Button>
  );
}
