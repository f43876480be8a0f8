import { readLocatingOptions, usage } from './options.js';
import { measuresTable } from './report.js';
import { runAll } from './run-all.js';

/** `npm run bench:locating`: deciders compared in simulated worlds, on a virtual clock, without a database. */
function main(): void {
  try {
    const options = readLocatingOptions(process.argv.slice(2));
    const results = runAll(options, (line) => console.error(line));
    console.log(measuresTable(results));
  } catch (error) {
    const isOfArguments =
      error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    console.error(isOfArguments ? `${String(error)}\n\n${usage}` : error);
    process.exitCode = 1;
  }
}

main();
