import { ulid } from 'ulid';
import type { PutInResult } from '../../../../server/tracking/containers/change.js';
import { query } from '../../../support/postgres.js';
import type { AppCaller, ScanOrganization, ScanWorld } from '../../../support/scan-world.js';

/** Wards, a cart and boxes, and what a person does with them. */
export type Hospital = {
  readonly org: ScanOrganization;
  readonly operator: AppCaller;
  readonly ward: number;
  readonly store: number;
  readonly dock: number;
  readonly cart: number;
  readonly boxes: readonly number[];
  /** Scans assets by hand at a location. */
  scan(locationId: number, ...assetIds: number[]): Promise<unknown>;
  putIn(containerId: number, ...assetIds: number[]): Promise<PutInResult[]>;
  /** The locations of assets, in their order; undefined for those without a position. */
  at(...assetIds: number[]): Promise<(number | null | undefined)[]>;
  /** The names of what is in a container, by name. */
  inside(containerId: number): Promise<string[]>;
};

export async function createHospital(world: ScanWorld, { boxes: count = 3 } = {}): Promise<Hospital> {
  const org = await world.organization();
  const operator = await org.as('operator');
  const ward = await org.location({ name: 'Ward 3A' });
  const store = await org.location({ name: 'Store' });
  const dock = await org.location({ name: 'Dock' });
  const cart = await org.asset({ name: 'Cart 7', externalKey: 'CART-7', tags: [['rfid', 'CA']] });
  const boxes: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const tags: [string, string][] = [['rfid', `B${number}`]];
    boxes.push(await org.asset({ name: `Box ${number}`, externalKey: `BOX-${number}`, tags }));
  }
  return {
    org,
    operator,
    ward,
    store,
    dock,
    cart,
    boxes,
    scan: (locationId, ...assetIds) =>
      operator.scans.submit({
        submission_id: ulid(),
        location_id: locationId,
        reads: assetIds.map((id) => ({ asset_id: id })),
      }),
    async putIn(containerId, ...assetIds) {
      return (await operator.containers.putIn({ container_id: containerId, asset_ids: assetIds })).results;
    },
    async at(...assetIds) {
      const rows = await query<{ asset_id: number; location_id: number | null }>(
        world.databaseUrl,
        `SELECT asset_id, location_id FROM asset_positions WHERE org_id = ${org.orgId}`,
      );
      return assetIds.map((id) => rows.find(({ asset_id: assetId }) => assetId === id)?.location_id);
    },
    async inside(containerId) {
      const { data } = await operator.containers.contents({ container_id: containerId });
      return data.map(({ name }) => name);
    },
  };
}
