import { buildService, buildWeb, generateClient, installAll, prepare } from './prepare.mjs';
import { requireTestPrograms, withTestPrograms } from './test-programs.mjs';

/** Installs and builds what a script needs that shows the app in Chromium. */
export function prepareApp() {
  prepare(
    installAll,
    generateClient,
    () => requireTestPrograms(['chromium']),
    () => buildService(),
    () => buildWeb(),
  );
  process.env.PATH = withTestPrograms(process.env).PATH;
}
