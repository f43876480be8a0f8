import { afterAll, inject } from 'vitest';
import { recordStatements, saveStatements } from './recorder.js';

// For each test file: what its statements answer is recorded, and checked when all files have run.
recordStatements();
afterAll(() => saveStatements(inject('statementsFolder')));
