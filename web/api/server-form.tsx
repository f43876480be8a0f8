import { Alert } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconAlertCircle } from '@tabler/icons-react';
import { type Problem, problemOf } from './errors.js';

/** The part of a Mantine form that errors are put into. */
type ErrorTarget = Pick<UseFormReturnType<Record<string, unknown>>, 'getValues' | 'setFieldError'>;

/**
 * Shows the errors of the service at the fields that they concern, and keeps the input. `names` maps the contract's
 * field names to the form's names where they differ.
 *
 * @returns the problem with the errors of fields that the form does not have, or null if every error was shown at its
 * field
 */
export function applyProblem(
  form: { getValues: () => object; setFieldError: (path: never, error: string) => void },
  error: unknown,
  names: Readonly<Record<string, string>> = {},
): Problem | null {
  const target = form as ErrorTarget;
  const values = target.getValues();
  const problem = problemOf(error);
  const rest = problem.fields.filter(({ field, message }) => {
    const name = names[field] ?? field;
    const [root = name] = name.split(/[.[]/);
    if (!(root in values)) return true;
    target.setFieldError(name, message);
    return false;
  });
  return problem.fields.length > 0 && rest.length === 0 ? null : { ...problem, fields: rest };
}

/** The error of a whole form, above its buttons; nothing without an error. */
export function FormProblem({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <Alert role="alert" color="red" icon={<IconAlertCircle />} title={problem.title}>
      {problem.fields.length > 0 ? problem.fields.map(({ message }) => message).join(' · ') : problem.detail}
    </Alert>
  );
}
