import { t } from '@lingui/core/macro';
import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLeaveGuard } from './leave-guard.js';

export type FormModalProps = Omit<ModalProps, 'opened'> & {
  /** Whether there is input that closing would discard. */
  isDirty: boolean;
};

/**
 * A dialog with a form. Esc, a click outside, the close button and leaving the page ask before they discard input; the form's own
 * Cancel button calls `onClose` and discards it at once.
 */
export function FormModal({ isDirty, onClose, children, ...modal }: FormModalProps) {
  const [isAsking, setAsking] = useState(false);
  const guard = useLeaveGuard(isDirty);
  return (
    <>
      <Modal
        {...modal}
        opened
        closeOnEscape={!isAsking}
        onClose={() => {
          if (isDirty) setAsking(true);
          else onClose();
        }}
      >
        <div ref={markFirstField}>{children}</div>
      </Modal>
      {isAsking && (
        <DiscardQuestion
          onKeep={() => setAsking(false)}
          onDiscard={() => {
            setAsking(false);
            onClose();
          }}
        />
      )}
      {guard.question}
    </>
  );
}

const fields = 'input:not([type="hidden"], :disabled), select:not(:disabled), textarea:not(:disabled)';

/** Makes a dialog focus its first field instead of its close button, unless it names another element. */
function markFirstField(body: HTMLElement | null): void {
  if (body?.querySelector('[data-autofocus]') !== null) return;
  body.querySelector(fields)?.setAttribute('data-autofocus', 'true');
}

/** Mounted only when needed: a dialog that was already mounted would handle the same press of Esc. */
function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  return (
    <Modal opened onClose={onKeep} title={t`Discard your input?`}>
      <Stack>
        <Text>{t`What you entered in this dialog is not saved.`}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onKeep} data-autofocus>{t`Keep editing`}</Button>
          <Button color="red" onClick={onDiscard}>{t`Discard`}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
