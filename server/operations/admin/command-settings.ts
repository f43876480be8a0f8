import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { projectRoot } from '../../kernel/project-root.js';
import { type Environment, namesDatabase, readProcessSettings, type Settings } from '../../kernel/settings.js';
import { errorCode, StartError } from '../../kernel/start-error.js';

const unitName = 'whereabouts.service';
const systemctlTimeoutMs = 5000;

/** Variables that a command takes besides its environment, and where they are from. */
type Source = { readonly values: Environment; readonly from: readonly string[] };

/** The settings of a command, and the files and units that they are from besides its environment and `.env`. */
export type CommandSettings = { readonly settings: Settings; readonly from: readonly string[] };

/**
 * Reads the settings of an operator's command, which are the service's settings: its environment; the file `envFile`, or else, unless the
 * environment names a database, what systemd gives to the service if it runs it from this folder; and `.env`.
 *
 * @throws StartError if a file of settings cannot be read
 * @throws SettingsError with all mistakes
 */
export function readCommandSettings(envFile: string | undefined): CommandSettings {
  const source = envFile === undefined ? sourceOfUnit() : { values: readFile(envFile), from: [envFile] };
  return { settings: readProcessSettings(source.values), from: source.from };
}

function sourceOfUnit(): Source {
  const unit = namesDatabase() ? undefined : findUnit();
  if (!unit) return { values: {}, from: [] };
  // systemd lets files override what the unit itself sets.
  const values = Object.assign({}, unit.values, ...unit.files.map(readFile)) as Environment;
  return { values, from: [unitName, ...unit.files] };
}

function readFile(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    const howTo = errorCode(error) === 'EACCES' ? ': run the command as root' : '';
    throw new StartError(`the settings in ${file} cannot be read (${errorCode(error)})${howTo}`, { cause: error });
  }
}

/** Returns the environment of the systemd unit of the service, with drop-ins, if it runs the service from this folder. */
function findUnit(): { values: Environment; files: readonly string[] } | undefined {
  const properties = ['WorkingDirectory', 'Environment', 'EnvironmentFiles'];
  const { status, stdout } = spawnSync('systemctl', ['show', unitName, `--property=${properties.join(',')}`], {
    encoding: 'utf8',
    timeout: systemctlTimeoutMs,
  });
  if (status !== 0) return undefined;
  const valuesOf = (property: string) =>
    stdout.split('\n').flatMap((line) => (line.startsWith(`${property}=`) ? line.slice(property.length + 1) : []));
  if (valuesOf('WorkingDirectory')[0] !== projectRoot()) return undefined;
  const assignments = valuesOf('Environment').flatMap((line) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)]);
  return {
    values: parseEnv(assignments.map(([bare, quoted]) => quoted?.replaceAll(/\\(.)/g, '$1') ?? bare).join('\n')),
    files: valuesOf('EnvironmentFiles').flatMap((line) => /^(\S+) \(ignore_errors=no\)$/.exec(line)?.[1] ?? []),
  };
}
