import { Prisma } from '../../../generated/prisma/client.js';
import { selected } from '../../kernel/database/field-sql.js';
import { assetFields, type ValuesFor, viewer } from '../../kernel/fields.js';
import { tagsOf } from '../tags/queries.js';
import type { Tag } from '../tags/schemas.js';
import type { AssetView } from './schemas.js';

/** A row of an asset; instants are epoch milliseconds. */
export type AssetRow = ValuesFor<typeof assetFields, 'view'> & { tags: Tag[] };

/** Selects all columns of an `AssetRow` from the alias `a`. */
export const assetRow = Prisma.sql`${selected(assetFields, 'a')}, ${tagsOf('asset', 'a')} AS tags`;

export const viewAsset: (row: AssetRow) => AssetView = viewer(assetFields, ['tags']);
