import { FormModal, type FormModalProps } from './form-modal.js';
import { ServerForm, type ServerFormProps } from './server-form.js';
import type { SentForm } from './use-server-form.js';

type FormDialogProps = Pick<FormModalProps, 'title' | 'size'> &
  Pick<ServerFormProps, 'aria-label' | 'submit' | 'isDisabled' | 'children'> & {
    form: SentForm & { isDirty: () => boolean };
    onClose: () => void;
  };

/** A dialog with a form that is sent to the service, and a button that discards it. */
export function FormDialog({ form, title, size, onClose, ...rest }: FormDialogProps) {
  return (
    <FormModal isDirty={form.isDirty()} onClose={onClose} title={title} {...(size !== undefined && { size })}>
      <ServerForm form={form} onCancel={onClose} {...rest} />
    </FormModal>
  );
}
