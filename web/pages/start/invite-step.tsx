import { t } from '@lingui/core/macro';
import { Group, Stack, Text } from '@mantine/core';
import { InviteButton } from '../settings/invite-button.js';
import { SkipButton } from './skip-button.js';
import type { StepProps } from './step-props.js';

export function InviteStep({ onNext }: StepProps) {
  return (
    <Stack>
      <Text>{t`Somebody who looks for things, scans them or takes care of readers. A role says what each person may do.`}</Text>
      <Group>
        <InviteButton />
        <SkipButton onSkip={onNext} />
      </Group>
    </Stack>
  );
}
