import { checkedField } from './fields.js';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID of the app. A malformed one is treated like an unknown one: not found. */
export const uuidField = checkedField(
  'create-string',
  (value) => (uuid.test(value) ? value : '00000000-0000-0000-0000-000000000000'),
  { type: 'string' },
);
