import {
  type AssetView,
  createClient,
  type ErrorType,
  type Ops,
  OPERATIONS as operations,
} from '../../../generated/api-client/client.js';

type Answered<Data> = { data: Data; error: undefined } | { data: undefined; error: { error: { detail: string } } };

function dataOf<Data>(answer: Answered<Data>): Data {
  if (answer.error) throw new Error(answer.error.error.detail);
  return answer.data;
}

/** What an integrator might do in the first minutes, with a client made from the description and nothing else. */
export async function runExample(serverUrl: string, token: string) {
  const api = createClient<Ops>(operations, { serverUrl, auth: { bearer: token }, errorMode: 'result' });

  const { data: organization } = dataOf(await api.getCurrentOrg());
  const { data: hall } = dataOf(await api.createLocation({ body: { name: 'Hall', external_key: 'HALL' } }));
  const { data: gate } = dataOf(await api.createLocation({ body: { name: 'Gate', parent_external_key: 'HALL' } }));
  const tags = [{ tag_type: 'rfid' as const, value: 'E2801190A503006543E21224' }];
  const created = await api.createAsset({
    body: { name: 'Pallet', external_key: 'PALLET-1', metadata: { n: 1 }, tags },
  });
  const { data: pallet } = dataOf(created);

  // The answer of a GET is a valid patch, read-only fields and all.
  const read: AssetView = dataOf(await api.getAsset({ path: { asset_id: pallet.id } })).data;
  const { data: changed } = dataOf(
    await api.updateAsset({ path: { asset_id: pallet.id }, body: { ...read, name: 'Pallet 1' } }),
  );
  const stale = await api.updateAsset({ path: { asset_id: pallet.id }, body: read });
  const type: ErrorType | undefined = stale.error?.error.type;

  const page = dataOf(
    await api.listAssets({ query: { external_key: ['PALLET-1', 'PALLET-2'], limit: 5, sort: '-name' } }),
  );
  const below = dataOf(await api.listLocationChildren({ path: { location_id: hall.id } }));
  const removed = await api.removeAssetTag({ path: { asset_id: pallet.id, tag_id: pallet.tags[0]?.id ?? 0 } });
  const report = dataOf(await api.listAssetLocations({ query: { asset_id: [pallet.id], include_deleted: true } }));

  return {
    organization,
    locationOfCreated: created.response.headers.get('Location'),
    pallet,
    changed,
    stale: { type, fields: stale.error?.error.fields?.map(({ field, code }) => `${field}: ${code}`) },
    found: page.data.map(({ external_key }) => external_key),
    below: below.data.map(({ id, parent_id }) => ({ id, parent_id })),
    gate,
    removed: removed.response.status,
    seen: report.total_count,
  };
}

/** What the compiler must reject; nobody calls it. */
export async function mistakes(api: ReturnType<typeof createClient<Ops>>): Promise<void> {
  // @ts-expect-error a name is required
  await api.createAsset({ body: {} });
  // @ts-expect-error an asset's location cannot be written
  await api.createAsset({ body: { name: 'Pallet', location_id: 1 } });
  // @ts-expect-error there is no such type of tag
  await api.addAssetTag({ path: { asset_id: 1 }, body: { tag_type: 'qr', value: '1' } });
  // @ts-expect-error a name cannot be cleared
  await api.updateAsset({ path: { asset_id: 1 }, body: { name: null } });
  // @ts-expect-error locations have no metadata
  await api.createLocation({ body: { name: 'Hall', metadata: {} } });
  // @ts-expect-error the walks have an order of their own
  await api.listLocationChildren({ path: { location_id: 1 }, query: { sort: 'name' } });
  // @ts-expect-error assets are not listed by location
  await api.listAssets({ query: { location_id: 1 } });
}
