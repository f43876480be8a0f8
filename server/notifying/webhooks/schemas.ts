import { z } from 'zod';
import { type EventType, eventTypes } from '../events/event-types.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { fail, field } from '../../kernel/validation/failure.js';
import {
  booleanField,
  idField,
  integerField,
  textField,
  timestampField,
  wrongType,
} from '../../kernel/validation/fields.js';
import { integerParameter } from '../../kernel/validation/parameters.js';
import { nameField } from '../../kernel/validation/resource-fields.js';

/** Endpoints of one organization. */
export const endpointsMax = 10;

const idMax = Number.MAX_SAFE_INTEGER;

/** Whether http:// is accepted depends on a setting, so the message does not name it. */
const noWebAddress = fail('not_web_address');

const urlField = textField({ min: 1, max: 2048 }, 'create-string').pipe(
  field<string, string>(
    (value) => {
      const text = String(value);
      if (!URL.canParse(text)) return noWebAddress;
      const { protocol, username, password, href } = new URL(text);
      if (protocol !== 'https:' && protocol !== 'http:') return noWebAddress;
      if (username !== '' || password !== '') return fail('address_with_user');
      return href;
    },
    { type: 'string', format: 'uri' },
  ),
);

/** The types that are sent to the endpoint regardless of rules; with none it receives only what rules send to it. */
const eventTypesField = field<EventType[]>(
  (value) => {
    if (!Array.isArray(value)) return wrongType('array', value);
    const unknown = (value as unknown[]).some((item) => !eventTypes.some((type) => type === item));
    if (unknown) return fail('not_some_of', { allowed: eventTypes });
    return eventTypes.filter((type) => (value as unknown[]).includes(type));
  },
  { type: 'array', items: { type: 'string', enum: [...eventTypes] } },
);

export const createEndpointInput = z.strictObject({
  name: nameField('create-string'),
  url: urlField,
  event_types: eventTypesField.default([]),
});

export type NewEndpoint = z.output<typeof createEndpointInput>;

/** Changes the given fields. With `updated_at`, only if nobody has changed the endpoint since. */
export const updateEndpointInput = z.strictObject({
  id: idField('required'),
  updated_at: timestampField('patch').exactOptional(),
  name: nameField('patch').exactOptional(),
  url: urlField.exactOptional(),
  event_types: eventTypesField.exactOptional(),
  is_enabled: booleanField('patch').exactOptional(),
});

export type EndpointChanges = Omit<z.output<typeof updateEndpointInput>, 'id' | 'updated_at'>;

export const endpointIdInput = z.strictObject({ id: idField('required') });

const bigIdField = integerField({ min: 1, max: idMax }, 'required');

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const listDeliveriesInput = z.strictObject({
  endpoint_id: idField('required'),
  status: choiceParameter(deliveryStatuses).exactOptional(),
  limit: integerParameter({ min: 1, max: 200 }).default(50),
  /** Continues a list: the deliveries before this one. */
  before_id: integerParameter({ min: 1, max: idMax }).exactOptional(),
});

export type DeliveryFilter = z.output<typeof listDeliveriesInput>;

export const deliveryIdInput = z.strictObject({ id: bigIdField });
