import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { hasRunAll } from '../row-types/global-setup.js';
import { planRecord } from './plan-shape.js';
import {
  callsNotRun,
  compareWithRecord,
  groupTexts,
  notRun,
  readRecord,
  type SqlRecord,
  updateRecord,
  writeRecord,
} from './record.js';
import { type SentText, sentTextsFolder } from './recorder.js';

/**
 * After the tests, fails the run if they have run SQL that is not in `test/sql/`, or, if all tests have run, for calls in
 * the service that no test runs. Prints further variants of SQL on record, and SQL on record that no test has run. With
 * `-u`, first writes `test/sql/` anew.
 */
export function setup(project: TestProject): () => Promise<void> {
  const { runFolder, templateUrl } = project.getProvidedContext();
  const folder = sentTextsFolder(runFolder);
  mkdirSync(folder);
  return async () => {
    const { root, snapshotOptions } = project.config;
    const sent = readdirSync(folder).flatMap((name) =>
      readFileSync(path.join(folder, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as SentText),
    );
    const isComplete = await hasRunAll(project);
    const isUpdate = snapshotOptions.updateSnapshot === 'all';
    const record: SqlRecord = isComplete && isUpdate ? new Map() : readRecord(root);
    const groups = groupTexts(root, sent, record);
    if (isUpdate) writeRecord(root, await planRecord(templateUrl, updateRecord(root, record, groups)));
    const onRecord = isUpdate ? readRecord(root) : record;
    const { faults, variants } = compareWithRecord(groups, onRecord);
    if (variants.length > 0) process.stderr.write(`Further variants of SQL on record:\n  ${variants.join('\n  ')}\n`);
    if (isComplete) {
      faults.push(...callsNotRun(root, sent).map((at) => `${at}: no test runs this statement`));
      const unused = notRun(groups, onRecord);
      if (unused.length > 0) process.stderr.write(`SQL on record that no test has run:\n  ${unused.join('\n  ')}\n`);
    }
    if (faults.length === 0) return;
    // Vitest does not fail for what happens after the tests.
    process.exitCode = 1;
    process.stderr.write(`SQL that is not in test/sql/, which -u writes anew:\n  ${faults.join('\n  ')}\n`);
  };
}
