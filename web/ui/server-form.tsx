import { t } from '@lingui/core/macro';
import { Button, type ButtonProps, Group, Stack, type StackProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormProblem } from '../api/server-form.js';
import type { SentForm } from './use-server-form.js';

export type ServerFormProps = Pick<StackProps, 'gap' | 'maw'> & {
  form: SentForm;
  /** What the form is for, for people who cannot see it. */
  'aria-label'?: string | undefined;
  children: ReactNode;
  /** The text of the button that sends. */
  submit: string;
  isDisabled?: boolean;
  variant?: ButtonProps['variant'];
  /** Other buttons after it. */
  others?: ReactNode;
  /** Whether the button is as wide as the form. */
  isWide?: boolean;
  /** Closes the dialog that the form is in. */
  onCancel?: () => void;
};

/** Fields, what is wrong with them, and the button that sends them. */
export function ServerForm(props: ServerFormProps) {
  const { form, children, submit, isDisabled = false, variant = 'filled', others, isWide, onCancel, gap, maw } = props;
  const button = (
    <Button type="submit" variant={variant} loading={form.submitting} disabled={isDisabled}>
      {submit}
    </Button>
  );
  return (
    <form onSubmit={form.send} noValidate aria-label={props['aria-label']}>
      <Stack {...(gap !== undefined && { gap })} {...(maw !== undefined && { maw })}>
        {children}
        <FormProblem problem={form.problem} />
        {isWide ? (
          button
        ) : (
          <Group {...(onCancel && { justify: 'flex-end' })}>
            {onCancel && <Button variant="default" onClick={onCancel}>{t`Cancel`}</Button>}
            {button}
            {others}
          </Group>
        )}
      </Stack>
    </form>
  );
}
