/** Prints Vitest's JSON report as one line, `N passed, N failed`; fails where no test ran or one failed. */
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const skipped = report.numPendingTests + report.numTodoTests;
const counts = [`${report.numPassedTests} passed`, `${report.numFailedTests} failed`];
if (skipped > 0) counts.push(`${skipped} skipped`);
console.log(counts.join(', '));
process.exit(report.numPassedTests > 0 && report.numFailedTests === 0 ? 0 : 1);
