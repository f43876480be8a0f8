const tag = { id: 7, tag_type: 'rfid', value: 'E2801190A503006543E21224' };
const tagRequest = { tag_type: tag.tag_type, value: tag.value };
const instants = {
  valid_from: '2026-05-01T10:00:00.000Z',
  valid_to: null,
  created_at: '2026-05-01T10:00:00.000Z',
  updated_at: '2026-05-02T08:30:00.250Z',
  deleted_at: null,
};

/** One example for each schema of a whole request or response, by name. */
export const examples: Record<string, unknown> = {
  AssetView: {
    id: 42,
    external_key: 'PALLET-0042',
    name: 'Pallet 42',
    description: 'Blue, one board missing.',
    is_active: true,
    metadata: { color: 'blue', boards: 8 },
    ...instants,
    tags: [tag],
  },
  CreateAssetRequest: {
    name: 'Pallet 42',
    external_key: 'PALLET-0042',
    metadata: { color: 'blue', boards: 9 },
    tags: [tagRequest],
  },
  UpdateAssetRequest: { description: 'Blue, one board missing.', updated_at: '2026-05-01T10:00:00.000Z' },
  RenameAssetRequest: { external_key: 'PALLET-0142' },
  LocationView: {
    id: 5,
    external_key: 'HALL-2-GATE-1',
    name: 'Gate 1',
    description: null,
    parent_id: 2,
    parent_external_key: 'HALL-2',
    is_active: true,
    ...instants,
    tags: [],
  },
  CreateLocationRequest: { name: 'Gate 1', external_key: 'HALL-2-GATE-1', parent_external_key: 'HALL-2' },
  UpdateLocationRequest: { parent_id: null },
  RenameLocationRequest: { external_key: 'HALL-3-GATE-1' },
  Tag: tag,
  TagRequest: tagRequest,
  AssetLocationItem: {
    asset_id: 42,
    asset_external_key: 'PALLET-0042',
    location_id: 5,
    location_external_key: 'HALL-2-GATE-1',
    asset_last_seen: '2026-05-02T08:31:07.125Z',
    asset_deleted_at: null,
  },
  AssetHistoryItem: {
    event_observed_at: '2026-05-02T08:31:07.125Z',
    location_id: 5,
    location_external_key: 'HALL-2-GATE-1',
    duration_seconds: null,
  },
  OrgView: {
    id: 1,
    name: 'Acme',
    scopes: ['assets:read', 'tracking:read'],
    api_key_id: '5f0c7f4e-3c66-4c3b-9d5e-0a3f4c1f7a11',
  },
};
