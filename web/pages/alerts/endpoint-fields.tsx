import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { eventNames, type EventType, eventTypes } from '../../alerts/words.js';
import { type Problem, problemOf } from '../../api/errors.js';

export type EndpointValues = { name: string; url: string; event_types: EventType[] };

export type EndpointForm = UseFormReturnType<EndpointValues>;

export function endpointProblems({ name, url }: EndpointValues): Partial<Record<keyof EndpointValues, string>> {
  return {
    ...(name.trim() === '' && { name: 'Enter a name' }),
    ...(url.trim() === '' && { url: 'Enter an address' }),
  };
}

/** Name, address and types of events of a webhook. */
export function EndpointFields({ form }: { form: EndpointForm }) {
  return (
    <Stack>
      <TextInput
        label="Name"
        description="Which system receives the events"
        required
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Address"
        type="url"
        placeholder="https://"
        required
        autoComplete="off"
        maxLength={2048}
        {...form.getInputProps('url')}
      />
      <Checkbox.Group
        label="Events"
        description="All events of these types are sent. Alert rules can send others."
        {...form.getInputProps('event_types')}
      >
        <Stack gap={6} mt={6}>
          {eventTypes.map((type) => (
            <Checkbox key={type} value={type} label={eventNames[type]} description={type} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}

/** Shows why the service refused an endpoint beside the field, without the field's technical name. */
export function applyEndpointProblem(form: EndpointForm, error: unknown): Problem | null {
  const problem = problemOf(error);
  const rest = problem.fields.filter(({ field, message }) => {
    if (!(field in form.getValues())) return true;
    const text = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
    form.setFieldError(field as keyof EndpointValues, `${text.charAt(0).toUpperCase()}${text.slice(1)}`);
    return false;
  });
  return problem.fields.length > 0 && rest.length === 0 ? null : { ...problem, fields: rest };
}
