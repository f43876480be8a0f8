import { z } from 'zod';
import { type EventDescription, eventDescriptions, eventParts, eventViews } from '../../server/index.js';
import { aboutService } from './info.js';
import type { Document, RequestBody, Schema } from './openapi.js';

/** One request that a webhook sends. */
type EventRequest = { requestBody: RequestBody; [member: string]: unknown };

/** The OpenAPI 3.1 document of the requests that webhooks send. */
export type EventsDocument = {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  servers: Document['servers'];
  webhooks: Record<string, { post: EventRequest }>;
  components: { schemas: Record<string, Schema> };
};

const overview = `
The events that Whereabouts sends to webhooks, signed by the [Standard Webhooks](https://www.standardwebhooks.com) specification.
Any release can add events and fields: receivers ignore those that they do not know. An event can arrive twice, with the same
\`webhook-id\`.
`.trim();

const headers = [
  { name: 'webhook-id', description: 'The id of the event, the same in every attempt.' },
  { name: 'webhook-timestamp', description: 'The time of the attempt, in Unix seconds.' },
  { name: 'webhook-signature', description: 'One or more signatures, separated by spaces.' },
];

/**
 * Builds the description of the webhooks' requests, beside the description of the API: OpenAPI 3.0, which the contract
 * names, cannot describe webhooks.
 *
 * @param api the description of the API, from which the views of assets and locations are taken
 */
export function buildEventsDocument(api: Document, baseUrl: string): EventsDocument {
  const { info, servers } = aboutService(baseUrl);
  return {
    openapi: '3.1.0',
    info: { ...info, title: 'Whereabouts webhooks', description: overview },
    servers,
    webhooks: Object.fromEntries(eventDescriptions.map((event) => [event.type, { post: requestOf(event) }])),
    components: { schemas: { ...eventSchemas(), ...viewSchemas(api) } },
  };
}

function requestOf({ type, words }: EventDescription): EventRequest {
  return {
    operationId: type,
    summary: type,
    description: words,
    security: [],
    parameters: headers.map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } })),
    requestBody: { required: true, content: { 'application/json': { schema: refTo(schemaName(type)) } } },
    responses: {
      '2XX': { description: 'The event is delivered. The body is ignored.' },
      '410': { description: 'Disables the webhook.' },
      '4XX': { description: 'The event is sent again later, after any other answer too.' },
    },
  };
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** `asset.location_changed` is `AssetLocationChangedEvent`. */
function schemaName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function eventSchemas(): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const { type, body } of eventDescriptions) registry.add(body, { id: schemaName(type) });
  for (const [name, schema] of Object.entries(eventParts)) registry.add(schema, { id: name });
  // The schemas of input leave objects open, as later releases add fields.
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (name) => refTo(name).$ref });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema as Schema]),
  );
}

/** Returns the views in events, and the schemas they refer to. */
function viewSchemas({ components }: Document): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  const add = (name: string, view: string) => {
    const source = components.schemas[view];
    if (!source) throw new Error(`the description has no schema ${view}`);
    schemas[name] = converted(source, (reference) => {
      if (!schemas[reference]) add(reference, reference);
    });
  };
  for (const { name, view } of eventViews) add(name, view);
  return schemas;
}

/** Converts a schema of OpenAPI 3.0 to 3.1, and leaves out what is only about requests to the API. */
function converted(source: Schema, onReference: (name: string) => void): Schema {
  const { nullable, readOnly: _readOnly, example: _example, properties, items, ...rest } = source;
  if (rest.$ref !== undefined) onReference(rest.$ref.slice(rest.$ref.lastIndexOf('/') + 1));
  return {
    ...rest,
    ...(nullable && { type: [rest.type, 'null'] as never }),
    ...(nullable && rest.enum && { enum: [...rest.enum, null] }),
    ...(items && { items: converted(items, onReference) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, converted(field, onReference)]),
      ),
    }),
  };
}
