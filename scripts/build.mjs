/** `npm run build`: the service, compiled into `dist/`. */
import { buildService, generateClient, installPackages, prepare } from './prepare.mjs';

prepare(installPackages, generateClient, () => buildService());
