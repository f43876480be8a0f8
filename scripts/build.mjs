/** `npm run build`: the service, compiled into `dist/`, the app, into `dist-web/`, the documentation, into `dist-docs/`. */
import { buildDocs, buildService, buildWeb, generateClient, installPackages, prepare } from './prepare.mjs';

prepare(installPackages, generateClient, () => buildService(), buildWeb, buildDocs);
