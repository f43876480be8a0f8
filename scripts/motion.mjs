/**
 * `npm run bench:motion`: watches the main thread of pages in Chromium while assets move, 25 times a second for 20 seconds each,
 * and prints the tasks of more than 50 ms. `-- --moves 50` and `-- --seconds 60` change that.
 */
import { prepareApp } from './prepare-app.mjs';

prepareApp();
// Imported only now that the packages are installed.
const { watchPages } = await import('./motion/watch.mjs');
await watchPages();
