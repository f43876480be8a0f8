import { t } from '@lingui/core/macro';
import { InContainersLine } from '../../containers/in-containers.js';
import type { NamedAsset } from '../../containers/words.js';
import type { Column } from '../../ui/data-table.js';
import { AssetLink } from '../../ui/object-links.js';
import { UserText } from '../../ui/user-text.js';

type ListedAsset = {
  id: number;
  name: string;
  external_key: string;
  is_deleted?: boolean;
  /** The containers that it is in, or was in at the instant of the report. */
  containers?: readonly NamedAsset[];
};

/** Returns the columns that name an asset, with a link to its page unless it is deleted, and its key. */
export function assetColumns<Row extends ListedAsset>(keyHiddenBelow: 'sm' | 'md'): Column<Row>[] {
  return [
    {
      id: 'name',
      header: t`Asset`,
      cell: (row) => (
        <>
          {row.is_deleted ? <UserText>{row.name}</UserText> : <AssetLink id={row.id} name={row.name} />}
          {row.containers && <InContainersLine containers={row.containers} />}
        </>
      ),
    },
    { id: 'key', header: t`Key`, hideBelow: keyHiddenBelow, cell: (row) => <UserText>{row.external_key}</UserText> },
  ];
}
