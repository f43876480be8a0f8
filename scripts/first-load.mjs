/**
 * `npm run bench:first-load`: loads pages as for the first time, as on a phone, and prints the time until each can be used and the
 * size of its scripts. `-- --loads 9` changes how often each is loaded.
 */
import { prepareApp } from './prepare-app.mjs';

prepareApp();
// Imported only now that the packages are installed.
const { measureFirstLoads } = await import('./first-load/measure.mjs');
await measureFirstLoads();
