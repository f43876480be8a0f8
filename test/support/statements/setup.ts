import { afterAll, inject } from 'vitest';
import { recordStatements, saveStatements, statementsFolder } from './recorder.js';

// For each test file: its statements and their answers are recorded, and checked when all files have run.
recordStatements(process.cwd());
afterAll(() => saveStatements(statementsFolder(inject('runFolder'))));
