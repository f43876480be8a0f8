import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { constantsTable } from './choose-constants.js';
import { readLocatingOptions, usage } from './options.js';
import { plotTruth } from './plot.js';
import { report } from './report.js';
import { meansOf } from './means.js';
import { runInProcesses, serveJobs, workerArgument } from './run-in-processes.js';
import { verdictsOf } from './targets.js';

/** `npm run bench:locating`: deciders compared in simulated worlds, on a virtual clock, without a database. */
async function main(): Promise<void> {
  try {
    const options = readLocatingOptions(process.argv.slice(2));
    const results = await runInProcesses(fileURLToPath(import.meta.url), options, (line) => console.error(line));
    if (options.isBrief) console.log(JSON.stringify(meansOf(results)));
    else console.log(options.isChoosing ? constantsTable(results) : report(results, verdictsOf(results)));
    // Recordings are not part of the repository, so the plot leaves them out, to be reproducible.
    const simulated = results.filter(({ spec }) => spec !== undefined);
    if (options.svgFile !== undefined) writeFileSync(options.svgFile, plotTruth(simulated));
  } catch (error) {
    const isOfArguments =
      error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    console.error(isOfArguments ? `${String(error)}\n\n${usage}` : error);
    process.exitCode = 1;
  }
}

if (process.argv[2] === workerArgument) serveJobs();
else await main();
