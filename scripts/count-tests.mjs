/** Prints Vitest's JSON reports as one line, `N passed, N failed`; fails where one is missing, has no test or a failure. */
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // A report that was not written counts as a failure.
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
  }
});

function sum(...counters) {
  return reports
    .flatMap((report) => counters.map((counter) => report[counter]))
    .reduce((total, count) => total + count, 0);
}

const failed = sum('numFailedTests');
const skipped = sum('numPendingTests', 'numTodoTests');
const counts = [`${sum('numPassedTests')} passed`, `${failed} failed`];
if (skipped > 0) counts.push(`${skipped} skipped`);
console.log(counts.join(', '));
process.exit(failed === 0 && reports.every((report) => report.numPassedTests > 0) ? 0 : 1);
