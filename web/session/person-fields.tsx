import { t } from '@lingui/core/macro';
import { PasswordInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export type NewPerson = { name: string; email: string; password: string };

export const noPerson: NewPerson = { name: '', email: '', password: '' };

/** The fields for a new person, in the given form. The address can be fixed. */
export function PersonFields<Values extends NewPerson>({
  form,
  isEmailFixed = false,
}: {
  form: UseFormReturnType<Values>;
  isEmailFixed?: boolean;
}) {
  return (
    <>
      <TextInput label={t`Your name`} autoComplete="name" required {...form.getInputProps('name')} />
      <TextInput
        label={t`Email address`}
        type="email"
        autoComplete="username"
        required
        readOnly={isEmailFixed}
        {...(isEmailFixed && { description: t`The invited address.` })}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t`Password`}
        description={t`At least 8 characters. Several words are stronger than one.`}
        autoComplete="new-password"
        required
        {...form.getInputProps('password')}
      />
    </>
  );
}
