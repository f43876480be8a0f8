import { t } from '@lingui/core/macro';
import { type FieldReason, fieldReasonText } from '../../api/field-reason-texts.js';
import { numberText, quantity } from '../../ui/quantity.js';

/** A problem of a row; the column is empty if it concerns the whole row. Problems of single fields have a reason. */
type RowProblem = { column: string; message: string; reason: FieldReason | null };

const metadataExample = '{"color":"red"}';

type Rewrite = readonly [pattern: RegExp, write: (...parts: string[]) => string];

const rewrites: readonly Rewrite[] = [
  [/^external_key .* duplicates line (\d+)$/s, (line = '') => t`This key duplicates line ${lineText(line)}`],
  [
    /^tag \w+:(.*) duplicates line (\d+)$/s,
    (value = '', line = '') => t`Tag ${value} duplicates line ${lineText(line)}`,
  ],
  [
    /^tag \w+:(.*) is the same as (.*) of line (\d+)$/s,
    (value = '', other = '', line = '') => t`Tag ${value} is the same as ${other} in line ${lineText(line)}`,
  ],
  [
    /^tag \w+:(.*) is the same as (.*) of \w+ (\S+)$/s,
    (value = '', other = '', key = '') => t`Tag ${value} is the same as ${other}, which is attached to ${key}`,
  ],
  [/^tag \w+:(.*) already exists$/s, (value = '') => t`Tag ${value} is already attached to another asset or location`],
  [
    / (\S+) may have lost leading zeros of (\d+)$/s,
    (value = '', full = '') => t`${value} may have lost its leading zeros: ${full}`,
  ],
  [/^\w+ "(.*)" is a number in exponent notation$/s, exponentText],
  [/^tag \w+:(.*) is a number in exponent notation$/s, exponentText],
  [
    /^tag \w+:(.*) contains the invisible character (U\+\w+)$/s,
    (value = '', character = '') => t`Tag ${value} contains an invisible character (${character}). Type it again`,
  ],
  [
    / contains the invisible character (U\+\w+)$/,
    (character = '') => t`Contains an invisible character (${character}). Type it again`,
  ],
  [
    /^(?:tag \w+:|text ")(.*?)"? is an error of a spreadsheet$/s,
    (value = '') => t`${value} is an error of the spreadsheet`,
  ],
  [
    /^(?:tag \w+:|external_key |text ")(.*?)"? is what programs write for no value$/s,
    (value = '') => t`Programs write ${value} where a value is missing. Leave the cell empty`,
  ],
  [
    /^text "(.*)" has damaged letters$/s,
    (value = '') => t`Letters of ${value} are damaged. Save the original list as “CSV UTF-8”`,
  ],
  [
    /^tag \w+:(.*) has the asterisks of a barcode font$/s,
    (value = '') => t`Scanners leave out the asterisks of ${value}. Remove them`,
  ],
  [
    /^external_key (.*) differs from (.*) only in case$/s,
    (key = '', other = '') => t`${key} and ${other} differ only in upper and lower case`,
  ],
  [
    /^tag \w+:(.*) is a formatted number$/s,
    (value = '') => t`The spreadsheet may have changed tag ${value}: it is a formatted number`,
  ],
  [
    /^(?:tag \w+:|external_key )(.*) may have been rounded to 15 digits$/s,
    (value = '') => t`The spreadsheet may have rounded ${value} to 15 digits`,
  ],
  [
    /^(?:tag \w+:|external_key )(.*) may have been turned into a date$/s,
    (value = '') => t`The spreadsheet may have turned something else into the date ${value}`,
  ],
  [/^tag \w+:(.*) may be several tags$/s, (value = '') => t`${value} may be several tags. Separate them with |`],
  [
    /^the row equals \w+ (.*)$/s,
    (key = '') => t`The same as ${key}, which exists already. Applying creates a second one`,
  ],
  [
    /^location(?:_external_key)? "(.*)" is not imported; the asset is at (.*)$/s,
    (text = '', key = '') =>
      text === ''
        ? t`Locations are not imported. The asset is at ${key}`
        : t`Locations are not imported. The file says ${text}, the asset is at ${key}`,
  ],
  [
    /^location(?:_external_key)? "(.*)" is not imported; the asset has no location$/s,
    (text = '') => t`Locations are not imported. The file says ${text}, the asset has no location`,
  ],
  [
    /^(\d+) assets that were seen elsewhere are placed at (.*)$/s,
    (count = '', key = '') => t`Places ${quantity(Number(count), 'asset')} at ${key}, last seen elsewhere`,
  ],
  [
    /^(?:place_at\w*|belongs_to_external_key) "(.*)" is no location$/s,
    (place = '') => t`There is no location ${place}`,
  ],
  [
    /^(?:place_at\w*|parent_external_key|belongs_to_external_key) "(.*)" is the name of (\d+) locations; write the key of one$/s,
    (place = '', count = '') => t`${quantity(Number(count), 'location')} have the name ${place}. Write the key of one`,
  ],
  [/^container_external_key "(.*)" not found$/s, (key = '') => t`There is no asset ${key}`],
  [
    /^container_external_key ".*" is in the asset itself$/s,
    () => t`An asset can’t be put into itself, or into what is in it.`,
  ],
  [
    /^assets can be in each other at most (\d+) levels deep$/,
    (max = '') => t`Assets can be in each other at most ${max} levels deep.`,
  ],
  [
    /^container_external_key "(.*)" can hold at most (\d+) assets$/s,
    (key = '', max = '') => t`${key} can hold at most ${quantity(Number(max), 'asset')}`,
  ],
  [
    /^(\d+) assets are put into (.*)$/s,
    (count = '', key = '') => t`Puts ${quantity(Number(count), 'asset')} into ${key}`,
  ],
  [
    /^(\d+) assets are taken out of their containers$/,
    (count = '') => t`Takes ${quantity(Number(count), 'asset')} out of their containers`,
  ],
  [/^kind "(.*)" is created for \d+ assets$/s, (kind = '') => t`Creates the kind ${kind}`],
  [
    /^an organization can have at most (\d+) kinds of assets$/,
    (max = '') => t`An organization can have at most ${max} kinds of assets`,
  ],
  [/^location "(.*)" is created for \d+ assets$/s, (place = '') => t`Creates the location ${place}`],
  [
    /^(\d+) assets are placed at (.*)$/s,
    (count = '', key = '') => t`Places ${quantity(Number(count), 'asset')} at ${key}`,
  ],
  [/^parent_external_key "(.*)" not found$/s, (place = '') => t`There is no location ${place}`],
  [/would create a .*cycle/s, () => t`A location can’t be in itself or in its own sublocation`],
  [/^the parent was moved or deleted after the check$/, () => t`This location was moved or deleted after the check`],
  [/^(?:asset|location) with external_key .* already exists$/s, () => t`This key was created after the check`],
  [/with external_key .* was deleted after the check$/s, () => t`This row’s item was deleted after the check`],
  [/with external_key .* was changed after the check$/s, () => t`This row’s item was changed after the check`],
  [/must be 'true' or 'false'$/, () => t`Write true or false`],
  [
    /^an? (?:asset|location) can have at most (\d+) tags$/,
    (max = '') => t`No more than ${max} tags can be attached. Detach one first`,
  ],
  [/nested (\d+) levels deep$/, (max = '') => t`Locations can be nested at most ${max} levels deep.`],
  [/^a file can create at most (\d+) locations$/, (max = '') => t`A file can create at most ${max} locations`],
  [/^metadata must be /, () => t`Write a JSON object, such as ${metadataExample}`],
];

/** Returns what a person is to do about a problem of a row in a file. */
export function problemText({ column, message, reason }: RowProblem): string {
  if (reason && !(column === 'metadata' && reason.name === 'wrong_type')) {
    return message.startsWith('a tag of ')
      ? t`A tag: ${fieldReasonText(reason, 'value')}`
      : fieldReasonText(reason, column);
  }
  for (const [pattern, write] of rewrites) {
    const found = pattern.exec(message);
    if (found) return write(...found.slice(1));
  }
  return fieldReasonText(reason ?? undefined, column);
}

function exponentText(value = ''): string {
  return t`A spreadsheet turned this into the number ${value}, and its digits are lost. Format the column as text and enter the value again`;
}

function lineText(digits: string): string {
  return numberText(Number(digits));
}
