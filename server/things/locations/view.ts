import { Prisma } from '../../../generated/prisma/client.js';
import { selected } from '../../kernel/database/field-sql.js';
import { locationFields, type ValuesFor, viewer } from '../../kernel/fields.js';
import { tagsOf } from '../tags/queries.js';
import type { Tag } from '../tags/schemas.js';
import type { LocationView } from './schemas.js';

/** A row of a location; instants are epoch milliseconds. */
export type LocationRow = ValuesFor<typeof locationFields, 'view'> & { tags: Tag[] };

/** Selects all columns of a `LocationRow` from the alias `l`. */
export const locationRow = Prisma.sql`${selected(locationFields, 'l')}, ${tagsOf('location', 'l')} AS tags`;

export const viewLocation: (row: LocationRow) => LocationView = viewer(locationFields, ['tags']);
