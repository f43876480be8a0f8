// Prints the location of each asset whose name, key or tag contains a text: node examples/where-is.mjs forklift
import { createClient, eachRow, WhereaboutsError } from 'whereabouts-client';

const { WHEREABOUTS_URL: baseUrl, WHEREABOUTS_KEY: token } = process.env;
const [text] = process.argv.slice(2);
const client = createClient({ baseUrl, token });

try {
  for await (const asset of eachRow((page) => client.listAssets({ query: { q: text, ...page } }))) {
    const { data } = await client.listAssetLocations({ query: { asset_id: [asset.id] } });
    const [position] = data;
    console.log(`${asset.name}: ${position?.location_external_key ?? 'no location'}`);
  }
} catch (error) {
  if (!(error instanceof WhereaboutsError)) throw error;
  console.error(`${error.message} (request ${error.requestId})`);
  process.exitCode = 1;
}
