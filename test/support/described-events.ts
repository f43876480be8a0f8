import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { describedEvents } from '../../scripts/client/described-api.js';

// Ajv reads the description itself, whose schemas are closed first: fields that it does not name are faults.
const { webhooks, components } = JSON.parse(JSON.stringify(describedEvents()), closed) as ReturnType<
  typeof describedEvents
>;
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
ajv.addSchema({ $id: 'events', components });

function closed(_key: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && 'type' in value && 'properties' in value;
  return isObject ? { additionalProperties: false, ...value } : value;
}

/** Fails if an event differs from its description. */
export function expectDescribed(event: { type: string; data: unknown }): void {
  const $ref = webhooks[event.type]?.post.requestBody.content['application/json']?.schema.$ref ?? 'none';
  // Alerts have the data of their event alone.
  const isWhole = 'timestamp' in event;
  const validate = ajv.compile({ $ref: `events${$ref}${isWhole ? '' : '/properties/data'}` });
  expect(validate(isWhole ? event : event.data) ? [] : validate.errors).toEqual([]);
}
