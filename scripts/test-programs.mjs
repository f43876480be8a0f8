/** What the tests start besides the service, and where it comes from when it is missing. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { StepError } from './prepare.mjs';

/** Where servers lie that the path of an ordinary user leaves out. */
const moreFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin'];

/**
 * The packages alone, and no server of theirs that runs: the tests start their own, and a port that is taken would keep
 * the service itself from starting. Debian asks `policy-rc.d` before it starts what it has installed.
 */
const installScript = `
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' > "$policy"
    chmod 755 "$policy"
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  apt-get install --yes --no-install-recommends "$@"
  if command -v systemctl > /dev/null; then systemctl disable --quiet "$@" || true; fi
`;

function isOnPath(program, searched) {
  return searched.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function succeeds(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** How to run something as root without asking anybody; undefined where that cannot be. */
function commandOfRoot() {
  if (process.getuid?.() === 0) return [];
  return succeeds('sudo', '-n', 'true') ? ['sudo', '-n'] : undefined;
}

/** The environment in which the programs of the tests are found by name. */
export function withTestPrograms(env) {
  const searched = [...(env.PATH ?? '').split(path.delimiter), ...moreFolders];
  return { ...env, PATH: [...new Set(searched)].filter(Boolean).join(path.delimiter) };
}

/** Installs what is missing where that needs nobody's password, and says what to install where it does. Programs are named as Debian names their packages. */
export function installTestPrograms(programs) {
  const searched = withTestPrograms(process.env).PATH.split(path.delimiter);
  const missing = programs.filter((program) => !isOnPath(program, searched));
  if (missing.length === 0) return;
  const root = commandOfRoot();
  if (root && succeeds('apt-get', '--version')) {
    console.error(`Installing ${missing.join(' and ')} for the tests …`);
    const [command, ...args] = [...root, 'sh', '-ec', installScript, 'sh', ...missing];
    if (spawnSync(command, args, { stdio: ['ignore', 'ignore', 2] }).status === 0) return;
  }
  throw new StepError(
    [
      `The tests need ${missing.join(' and ')}, and could not install them. Please do:`,
      `  Debian, Ubuntu  sudo apt-get install ${missing.join(' ')}`,
      `  Fedora          sudo dnf install ${missing.map((program) => program.replace('-server', '')).join(' ')}`,
      `  macOS           brew install ${missing.map((program) => program.replace('-server', '')).join(' ')}`,
    ].join('\n'),
  );
}
