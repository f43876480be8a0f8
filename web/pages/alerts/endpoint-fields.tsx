import { t } from '@lingui/core/macro';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { eventNames, type EventType, eventTypes } from '../../alerts/words.js';

export type EndpointValues = { name: string; url: string; event_types: EventType[] };

export type EndpointForm = UseFormReturnType<EndpointValues>;

export function endpointProblems({ name, url }: EndpointValues): Partial<Record<keyof EndpointValues, string>> {
  return {
    ...(name.trim() === '' && { name: t`Enter a name` }),
    ...(url.trim() === '' && { url: t`Enter an address` }),
  };
}

/** Name, address and types of events of a webhook. */
export function EndpointFields({ form }: { form: EndpointForm }) {
  return (
    <Stack>
      <TextInput
        label={t`Name`}
        description={t`Which system receives the events`}
        required
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t`Address`}
        type="url"
        description={t`An address in your own network, or one that begins with http://, needs WEBHOOKS_ALLOW_PRIVATE_ADDRESSES=true in the settings of the server.`}
        placeholder={t`https://`}
        required
        autoComplete="off"
        maxLength={2048}
        {...form.getInputProps('url')}
      />
      <Checkbox.Group
        label={t`Events`}
        description={t`All events of these types are sent. Alert rules can send others.`}
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
