import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type Problem, problemOf } from './errors.js';

/** Returns whether the service refused a change because somebody else has changed the same object since. */
export function isOutdated(error: unknown): boolean {
  return problemOf(error).fields.some(({ field }) => field === 'updated_at');
}

/** The error of a whole form or of an action, above its buttons; nothing without an error. */
export function FormProblem({ problem: given, error }: { problem?: Problem | null; error?: unknown }) {
  const problem = given ?? (error ? problemOf(error) : null);
  if (!problem) return null;
  return (
    <Alert role="alert" color="red" icon={<IconAlertCircle />} title={problem.title}>
      {problem.fields.length > 0 ? problem.fields.map(({ message }) => message).join(' · ') : problem.detail}
    </Alert>
  );
}
