import { afterAll, inject } from 'vitest';
import { recordTexts, saveTexts, sentTextsFolder } from './recorder.js';

// For each test file: the SQL that its calls run is recorded, and compared with test/sql/ when all files have run.
recordTexts(process.cwd());
afterAll(() => saveTexts(sentTextsFolder(inject('runFolder'))));
