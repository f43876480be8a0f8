import { buildService, buildWeb, generateClient, installPackages, prepare } from './prepare.mjs';
import { requireTestPrograms, withTestPrograms } from './test-programs.mjs';

/** Installs and builds what a script needs that shows the app in Chromium. */
export function prepareApp() {
  prepare(
    installPackages,
    generateClient,
    () => requireTestPrograms(['chromium']),
    () => buildService(),
    () => buildWeb(),
  );
  process.env.PATH = withTestPrograms(process.env).PATH;
}
