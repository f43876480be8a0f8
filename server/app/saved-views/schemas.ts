import { z } from 'zod';
import { booleanField, idField, textField } from '../../kernel/validation/fields.js';
import { nameField } from '../../kernel/validation/resource-fields.js';

/**
 * How many views of their own a person can have in an organization, and how many shared views an organization can have.
 */
export const ownViewsMax = 50;
export const sharedViewsMax = 100;

const columnsMax = 40;

/** The query string of the list, without the question mark. The app interprets it, and ignores unknown parts. */
const queryField = textField(
  { min: 0, max: 2000, pattern: /^[\x21-\x7E]*$/, words: 'a query of an address' },
  'create-string',
);

const columnField = textField({ min: 1, max: 120 }, 'create-string');

const viewContent = {
  name: nameField('create-string'),
  query: queryField,
  /** The columns of the view, by the app's names. */
  columns: z.array(columnField).max(columnsMax),
};

export const createViewInput = z.strictObject({ ...viewContent, is_shared: booleanField('create-default') });

export type NewView = z.output<typeof createViewInput>;

export const viewIdInput = z.strictObject({ id: idField('required') });

export type SavedView = {
  id: number;
  name: string;
  query: string;
  columns: string[];
  is_shared: boolean;
};
