import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';

export function SkipButton({ onSkip }: { onSkip: () => void }) {
  return <Button variant="subtle" onClick={onSkip}>{t`Skip this step`}</Button>;
}
