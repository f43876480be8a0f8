/** `npm run build`: the service, compiled into `dist/`, and the app, into `dist-web/`. */
import { buildService, buildWeb, generateClient, installPackages, prepare } from './prepare.mjs';

prepare(installPackages, generateClient, () => buildService(), buildWeb);
