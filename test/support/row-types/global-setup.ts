import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { checkRowTypes, isUnseen, readStatements } from './check.js';
import { findStatementSites } from './statement-sites.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- extends an interface of the library
  interface ProvidedContext {
    /** Where test processes write the statements that they have run. */
    statementsFolder: string;
  }
}

/**
 * After the tests, compares the row types that `server/` declares with the columns of the statements that the tests have run,
 * and fails the run where they differ. If all tests have run, sites without a statement are listed.
 */
export function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-statements-'));
  project.provide('statementsFolder', folder);
  return async () => {
    try {
      const faults = findFaults(project.config.root, { folder, isComplete: await hasRunAll(project) });
      const [unseen, wrong] = [faults.filter(isUnseen), faults.filter((fault) => !isUnseen(fault))];
      if (unseen.length > 0) process.stderr.write(`Row types that were not checked:\n  ${unseen.join('\n  ')}\n`);
      if (wrong.length === 0) return;
      // Vitest does not fail for what happens after the tests.
      process.exitCode = 1;
      process.stderr.write(`Row types that differ from the database:\n  ${wrong.join('\n  ')}\n`);
    } catch (error) {
      process.exitCode = 1;
      throw error;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

function findFaults(root: string, { folder, isComplete }: { folder: string; isComplete: boolean }): string[] {
  const statements = readStatements(folder);
  return statements.length === 0 ? [] : checkRowTypes(findStatementSites(root), statements, isComplete);
}

/** Whether every test file has run whole, and none has failed before its last statement. */
export async function hasRunAll(project: TestProject): Promise<boolean> {
  const { state, config } = project.vitest;
  if (config.testNamePattern !== undefined || state.getCountOfFailedTests() > 0) return false;
  const { testFiles } = await project.globTestFiles();
  return state.getFiles().length === testFiles.length;
}
