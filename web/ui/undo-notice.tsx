import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../api/errors.js';

/** Long enough to read the text and to reach the button on a phone. */
const noticeMs = 15_000;

/**
 * Reports an action in a notice with an Undo.
 *
 * @param undo undoes the action, and resolves with the text to show then; its failure is shown instead
 */
export function showUndoNotice(text: string, undo: () => Promise<string>): void {
  const id = notifications.show({
    autoClose: noticeMs,
    message: (
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 10rem">
          {text}
        </Text>
        <Button
          size="sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo().then(
              (message) => notifications.show({ message }),
              (error: unknown) =>
                notifications.show({
                  color: 'red',
                  autoClose: noticeMs,
                  message: error instanceof UndoRefusedError ? error.message : problemOf(error).detail,
                }),
            );
          }}
        >{t`Undo`}</Button>
      </Group>
    ),
  });
}

/** Thrown by an undo that the service refused, with the reason as text for people. */
export class UndoRefusedError extends Error {}
