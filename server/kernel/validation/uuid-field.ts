import type { z } from 'zod';
import { field } from './failure.js';
import { missing, wrongType } from './fields.js';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID of the app. A malformed one is treated like an unknown one: not found. */
export const uuidField: z.ZodType<string, string> = field<string>(
  (value) => {
    if (value === undefined) return missing;
    if (typeof value !== 'string') return wrongType('string', value);
    return uuid.test(value) ? value : '00000000-0000-0000-0000-000000000000';
  },
  { type: 'string' },
);
