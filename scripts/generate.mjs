/** `npm run generate`: the Prisma client in `generated/`, from `prisma/schema.prisma`. */
import { generateClient, installPackages, prepare } from './prepare.mjs';

prepare(installPackages, generateClient);
