import { t } from '@lingui/core/macro';

/** What a person is to do about an empty field, by the contract's name of the field. */
const requests: Readonly<Record<string, string>> = {
  asset_id: t`Choose an asset`,
  client_id: t`Enter a client ID`,
  client_secret: t`Enter a client secret`,
  current_password: t`Enter a current password`,
  description: t`Enter a description`,
  domain: t`Enter a domain`,
  email: t`Enter an email address`,
  expires_at: t`Enter an expiration date`,
  external_key: t`Enter a key`,
  ids: t`Choose an item`,
  issuer: t`Enter an issuer`,
  limit_seconds: t`Enter a time limit`,
  threshold: t`Enter a threshold`,
  location_id: t`Choose a location`,
  metadata: t`Enter custom details`,
  min_rssi_dbm: t`Enter a minimum RSSI`,
  name: t`Enter a name`,
  new_password: t`Enter a password`,
  organization_id: t`Choose an organization`,
  organization_name: t`Enter a name`,
  parent_external_key: t`Enter a location`,
  parent_id: t`Choose a location`,
  password: t`Enter a password`,
  publish_topic: t`Enter a topic`,
  reader_id: t`Enter a reader`,
  resolution_seconds: t`Enter a number of seconds`,
  role: t`Choose a role`,
  scopes: t`Choose a scope`,
  tag_type: t`Choose a tag type`,
  url: t`Enter an address`,
  valid_from: t`Enter a start date`,
  valid_to: t`Enter an end date`,
  value: t`Enter a value`,
};

const missing: Readonly<Record<string, string>> = {
  asset_id: t`This asset no longer exists`,
  belongs_to_id: t`This location no longer exists`,
  location_id: t`This location no longer exists`,
  organization_id: t`This organization no longer exists`,
  parent_external_key: t`This location no longer exists`,
  parent_id: t`This location no longer exists`,
  reader_id: t`This reader no longer exists`,
};

/** Returns what a person is to do about a field that is empty, such as "Enter a name". */
export function requestText(field: string): string {
  return requests[field] ?? t`Fill in this field`;
}

/** Returns what to say of a field that names an object which does not exist, such as "This asset no longer exists". */
export function missingText(field: string): string {
  return missing[field] ?? t`This item no longer exists`;
}
