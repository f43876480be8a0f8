/**
 * Prints what failed in Vitest's JSON reports and what did not end, then the counts as one line, `N passed, N failed`. Fails
 * where a report is missing, has no test or a failure.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A message of a failed test can hold a whole page. */
const maxMessageLength = 2_000;

const reports = process.argv.slice(2).map((file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // A report that was not written counts as a failure.
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  }
});

function sum(...counters) {
  return reports
    .flatMap((report) => counters.map((counter) => report[counter]))
    .reduce((total, count) => total + count, 0);
}

function printFailure(file, name, messages) {
  console.log(`\nFailed: ${path.relative('.', file)}: ${name}\n${messages.join('\n').slice(0, maxMessageLength)}`);
}

for (const file of reports.flatMap((report) => report.testResults)) {
  const failures = file.assertionResults.filter((test) => test.status === 'failed');
  for (const test of failures) printFailure(file.name, test.fullName, test.failureMessages);
  if (file.status === 'failed' && failures.length === 0)
    printFailure(file.name, 'the file itself', [file.message ?? '']);
  // As when the process of the test has crashed: Vitest counts it neither as passed nor as failed.
  for (const test of file.assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed'))
    console.log(`\nNot ended (${test.status}): ${path.relative('.', file.name)}: ${test.fullName}`);
}

const failed = sum('numFailedTests');
const skipped = sum('numPendingTests', 'numTodoTests');
const counts = [`${sum('numPassedTests')} passed`, `${failed} failed`];
if (skipped > 0) counts.push(`${skipped} skipped`);
console.log(counts.join(', '));
process.exit(failed === 0 && reports.every((report) => report.numPassedTests > 0) ? 0 : 1);
