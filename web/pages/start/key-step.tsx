import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CreatedKey, type CreatedKeyProps } from '../settings/created-key.js';
import { NewApiKeyForm } from '../settings/new-api-key-form.js';
import { SkipButton } from './skip-button.js';
import type { StepProps } from './steps.js';

export function KeyStep({ onNext }: StepProps) {
  const [created, setCreated] = useState<CreatedKeyProps | null>(null);
  if (created) {
    return (
      <Stack>
        <CreatedKey token={created.token} />
        <Group>
          <Button variant="default" onClick={onNext}>{t`I've copied it`}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text>
        <Trans>With an API key, another system such as an ERP can read where assets are and create new ones.</Trans>
      </Text>
      <NewApiKeyForm onCreated={setCreated} scopes={['assets:read', 'locations:read', 'tracking:read']} />
      <Group>
        <SkipButton onSkip={onNext} />
      </Group>
    </Stack>
  );
}
