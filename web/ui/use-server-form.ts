import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { type SyntheticEvent, useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';

type ServerFormInput<Values> = UseFormInput<Values> & {
  /** Sends the values. What the service refuses is shown at the fields, or above the buttons, and the input stays. */
  send: (values: Values) => Promise<void>;
  /** The form's names of the contract's fields, where they differ. */
  fieldNames?: Readonly<Record<string, string>>;
  /** The name of what is changed, for sentences that begin with it. */
  subject?: string;
};

/** What a form shows of sending its values. */
export type SentForm = {
  /** Why the last attempt failed, as far as no field shows it. */
  problem: Problem | null;
  submitting: boolean;
  send: (event?: SyntheticEvent<HTMLFormElement>) => void;
};

/**
 * Returns a form whose values the service judges, for `ServerForm` or `FormDialog`. Its `attempt` does something besides sending, and
 * shows what goes wrong like a refusal of the values.
 */
export function useServerForm<Values extends object>({
  send,
  fieldNames = {},
  subject,
  ...input
}: ServerFormInput<Values>) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm<Values>(input);

  async function attempt(work: () => Promise<void>): Promise<void> {
    setProblem(null);
    form.setSubmitting(true);
    try {
      await work();
    } catch (error) {
      setProblem(showAtFields(form, problemOf(error, subject), fieldNames));
    } finally {
      form.setSubmitting(false);
    }
  }

  return { ...form, problem, attempt, send: form.onSubmit((values) => attempt(() => send(values))) };
}

/** The part of a Mantine form that errors are put into. */
type ErrorTarget = Pick<UseFormReturnType<Record<string, unknown>>, 'getValues' | 'setFieldError'>;

/** Shows the errors of fields at the fields, and returns what the form has no field for; null if that is nothing. */
function showAtFields(
  form: { getValues: () => object; setFieldError: (path: never, error: string) => void },
  problem: Problem,
  names: Readonly<Record<string, string>>,
): Problem | null {
  const target = form as ErrorTarget;
  const values = target.getValues();
  const rest = problem.fields.filter(({ field, message }) => {
    const name = names[field] ?? field;
    const [root = name] = name.split(/[.[]/);
    if (!(root in values)) return true;
    target.setFieldError(name, message);
    return false;
  });
  return problem.fields.length > 0 && rest.length === 0 ? null : { ...problem, fields: rest };
}
