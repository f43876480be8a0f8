/** Installs the programs that `npm test` and `npm run test:browser` start, so that `.ci/run` can do it beside other work. */
import { programsOf, provideTestPrograms } from './test-programs.mjs';

provideTestPrograms([...new Set([...programsOf.tests, ...programsOf.browser])]);
