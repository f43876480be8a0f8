import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';

type OutdatedProps = {
  /** Names the object that was changed. */
  title: string;
  isBusy: boolean;
  onReplace: () => void;
  onDiscard: () => void;
};

/** Asks what to do after the service refused a change, because somebody else has changed the same thing since. */
export function Outdated({ title, isBusy, onReplace, onDiscard }: OutdatedProps) {
  return (
    <Alert role="alert" color="orange" title={title}>
      <Stack gap="xs">
        <Text size="sm">{t`Your input is still here.`}</Text>
        <Group gap="xs">
          <Button size="xs" loading={isBusy} onClick={onReplace}>{t`Replace their version`}</Button>
          <Button size="xs" variant="default" onClick={onDiscard}>{t`Discard mine`}</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
