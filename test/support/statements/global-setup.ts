import { mkdirSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { callsNotRun, compareWithRecord, groupTexts, notRun, readRecord, updateRecord, writeRecord } from './record.js';
import { readStatements, statementsFolder } from './recorder.js';
import { checkRowTypes } from './row-types.js';
import { findStatementSites } from './statement-sites.js';

/**
 * After the tests, fails the run if they have run SQL that is not in `test/sql/`, or whose rows are not as `server/` declares
 * them. If all tests have run, lists calls in the service that no test runs. With `-u`, first writes `test/sql/` anew.
 */
export function setup(project: TestProject): () => Promise<void> {
  const { runFolder } = project.getProvidedContext();
  const folder = statementsFolder(runFolder);
  mkdirSync(folder);
  return async () => {
    const { root, snapshotOptions } = project.config;
    const statements = readStatements(folder);
    if (statements.length === 0) return;
    const isComplete = await hasRunAll(project);
    const isUpdate = snapshotOptions.updateSnapshot === 'all';
    const groups = groupTexts(root, statements);
    if (isUpdate) writeRecord(root, updateRecord(root, isComplete ? new Map() : readRecord(root), groups));
    const record = readRecord(root);
    const { wrong, unseen } = checkRowTypes(findStatementSites(root), statements);
    const { faults, variants } = compareWithRecord(groups, record);
    report('Further variants of functions that have many', variants);
    if (isComplete) {
      report('Statements that no test runs', callsNotRun(root, statements));
      report('Row types that were not checked', unseen);
      report('SQL on record that no test has run', notRun(groups, record));
    }
    // What fails the run comes last, where the end of a long log shows it.
    fail('Row types that differ from the database', wrong);
    fail('SQL that is not in test/sql/, which -u writes anew', faults);
  };
}

/** Vitest does not fail for what happens after the tests. */
function fail(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.exitCode = 1;
  report(title, lines);
}

function report(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stderr.write(`${title}:\n  ${lines.join('\n  ')}\n`);
}

/** Whether every test file has run whole, and none has failed before its last statement. */
async function hasRunAll(project: TestProject): Promise<boolean> {
  const { state, config } = project.vitest;
  if (config.testNamePattern !== undefined || state.getCountOfFailedTests() > 0) return false;
  const { testFiles } = await project.globTestFiles();
  return state.getFiles().length === testFiles.length;
}
