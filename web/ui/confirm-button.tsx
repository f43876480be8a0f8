import { t } from '@lingui/core/macro';
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormProblem } from '../api/server-form.js';

export type ConfirmButtonProps = ButtonProps & {
  children: ReactNode;
  /** The question, as the dialog's heading. */
  question: string;
  /** The consequence of the action. */
  consequence: ReactNode;
  /** The text of the button that confirms. */
  confirm: string;
  /** The text of the button that cancels; not “Cancel” if the action itself is a cancellation. */
  keep?: string;
  /** Performs the action; a failure is shown in the dialog, which stays open. */
  onConfirm: () => Promise<unknown>;
};

/** A button for an action that can't be undone, so it asks first. What can be undone is an `ActionButton`. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, question, consequence, confirm, keep = t`Cancel`, onConfirm, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  const act = useMutation({ mutationFn: onConfirm, onSuccess: close });

  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {children}
      </Button>
      <Modal opened={isOpen} onClose={close} title={question}>
        <Stack>
          <Text component="div">{consequence}</Text>
          <FormProblem error={act.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {keep}
            </Button>
            <Button color="red" loading={act.isPending} onClick={() => act.mutate()} data-autofocus>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
