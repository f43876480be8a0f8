// Written by `npm run client` from the description of the API. Changes to this file are overwritten.

import type { Tag } from './api.js';

export type AssetLocationChangedEvent = {
  type: 'asset.location_changed';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    /** Where the asset was; null for no location. */
    from: NamedLocation | null;
    /** Where the asset is now; null for no location. */
    to: NamedLocation | null;
    /** The reader that received it; null for a scan by hand, and for a move with a container. */
    reader: NamedReader | null;
    antenna: number | null;
    /** The person who placed it or its container; null for a reader. */
    user: NamedUser | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetOverdueEvent = {
  type: 'asset.overdue';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    location: NamedLocation | null;
    last_seen_at: string;
    /** The time limit of the rule. */
    limit_seconds: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetDwellExceededEvent = {
  type: 'asset.dwell_exceeded';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    location: NamedLocation | null;
    since: string;
    /** The time limit of the rule. */
    limit_seconds: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetAwayEvent = {
  type: 'asset.away';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    /** Where the asset is. */
    location: NamedLocation | null;
    /** Where it belongs. */
    belongs_to: NamedLocation | null;
    /** When it left; if it was never there, since when it is where it is. */
    since: string;
    /** The time limit of the rule. */
    limit_seconds: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetBatteryLowEvent = {
  type: 'asset.battery_low';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    /** Where the asset is. */
    location: NamedLocation | null;
    /** Since when. */
    since: string;
    /** The measured value, in percent or °C. */
    value: number;
    /** The threshold of the rule, in percent or °C. */
    threshold: number;
    /** The time limit of the rule. */
    limit_seconds: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetTemperatureHighEvent = {
  type: 'asset.temperature_high';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    /** Where the asset is. */
    location: NamedLocation | null;
    /** Since when. */
    since: string;
    /** The measured value, in percent or °C. */
    value: number;
    /** The threshold of the rule, in percent or °C. */
    threshold: number;
    /** The time limit of the rule. */
    limit_seconds: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetTemperatureLowEvent = {
  type: 'asset.temperature_low';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    /** Where the asset is. */
    location: NamedLocation | null;
    /** Since when. */
    since: string;
    /** The measured value, in percent or °C. */
    value: number;
    /** The threshold of the rule, in percent or °C. */
    threshold: number;
    /** The time limit of the rule. */
    limit_seconds: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetButtonPressedEvent = {
  type: 'asset.button_pressed';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    location: NamedLocation | null;
    tag_type: string;
    /** The value of the tag. */
    value: string;
    /** 1 for a single press, 2 for a double, 3 for a triple, 4 for a long one. */
    press: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetLeftContainerEvent = {
  type: 'asset.left_container';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    /** Where the asset was when it left the container, or came to. */
    location: NamedLocation | null;
    /** The asset that it was in. */
    container: NamedAsset;
    /** Where the container was; null for no location. */
    container_location: NamedLocation | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetProblemReportedEvent = {
  type: 'asset.problem_reported';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    asset: NamedAsset;
    /** Where the asset was then. */
    location: NamedLocation | null;
    problem: {
      id: number;
      text: string;
    };
    /** The person who reported it. */
    user: NamedUser | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type ReaderOfflineEvent = {
  type: 'reader.offline';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    reader: NamedReader | null;
    location: NamedLocation | null;
    last_message_at: string;
    /** The time limit of the rule. */
    limit_seconds: number;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type ReaderOnlineEvent = {
  type: 'reader.online';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    reader: NamedReader | null;
    last_message_at: string;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type TagUnknownEvent = {
  type: 'tag.unknown';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    tag_type: string | null;
    value: string;
    reader: NamedReader | null;
    antenna: number | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetCreatedEvent = {
  type: 'asset.created';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    /** Before the change; null for one that is new or restored. */
    before: EventAsset | null;
    /** After the change; null for one that was deleted. */
    after: EventAsset | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetUpdatedEvent = {
  type: 'asset.updated';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    /** Before the change; null for one that is new or restored. */
    before: EventAsset | null;
    /** After the change; null for one that was deleted. */
    after: EventAsset | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type AssetDeletedEvent = {
  type: 'asset.deleted';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    /** Before the change; null for one that is new or restored. */
    before: EventAsset | null;
    /** After the change; null for one that was deleted. */
    after: EventAsset | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type LocationCreatedEvent = {
  type: 'location.created';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    /** Before the change; null for one that is new or restored. */
    before: EventLocation | null;
    /** After the change; null for one that was deleted. */
    after: EventLocation | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type LocationUpdatedEvent = {
  type: 'location.updated';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    /** Before the change; null for one that is new or restored. */
    before: EventLocation | null;
    /** After the change; null for one that was deleted. */
    after: EventLocation | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type LocationDeletedEvent = {
  type: 'location.deleted';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    /** Before the change; null for one that is new or restored. */
    before: EventLocation | null;
    /** After the change; null for one that was deleted. */
    after: EventLocation | null;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type WebhookTestEvent = {
  type: 'webhook.test';
  /** When the event happened. */
  timestamp: string;
  data: {
    organization_id: number;
    occurred_at: string;
    message: string;
  };
  /** The alert rules that sent the event, if any did. */
  rules?: readonly NamedRule[];
};

export type NamedAsset = {
  id: number;
  external_key: string;
  name: string;
};

export type NamedLocation = {
  id: number;
  external_key: string;
  name: string;
  /** The names from the top of the tree down to the location. */
  path: readonly string[];
};

export type NamedReader = {
  id: number;
  name: string;
};

export type NamedUser = {
  id: number;
  name: string;
};

export type NamedRule = {
  id: number;
  name: string;
};

export type EventAsset = {
  /** Assigned by the service; never changes. */
  id: number;
  /** Your own key. It is unique among undeleted resources of a kind and case-sensitive. */
  external_key: string;
  /** The display name. */
  name: string;
  /** Free text, one or more lines. */
  description: string | null;
  /** A flag for your own use. It does not affect tracking. */
  is_active: boolean;
  /** Any JSON object. Numbers are IEEE 754 doubles. An integer that a double cannot represent exactly is rejected; send it as a string. At most 16384 bytes as compact JSON in UTF-8. */
  metadata: Readonly<Record<string, unknown>>;
  /** Lists include it from this time on. */
  valid_from: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. Send it with a patch to detect a concurrent change. */
  updated_at: string;
  /** When it was deleted; null while it is live. */
  deleted_at: string | null;
  /** The tags attached to it. */
  tags: readonly Tag[];
};

export type EventLocation = {
  /** Assigned by the service; never changes. */
  id: number;
  /** Your own key. It is unique among undeleted resources of a kind and case-sensitive. */
  external_key: string;
  /** The display name. */
  name: string;
  /** Free text, one or more lines. */
  description: string | null;
  /** The location directly above; null for a top-level location. */
  parent_id: number | null;
  /** The key of the location directly above; null for a top-level location. */
  parent_external_key: string | null;
  /** A flag for your own use. It does not affect tracking. */
  is_active: boolean;
  /** Lists include it from this time on. */
  valid_from: string;
  /** Lists exclude it from this time on; null for no end. */
  valid_to: string | null;
  /** When it was created. */
  created_at: string;
  /** When it was last changed. Send it with a patch to detect a concurrent change. */
  updated_at: string;
  /** When it was deleted; null while it is live. */
  deleted_at: string | null;
  /** The tags attached to it. */
  tags: readonly Tag[];
};

/** The body of a request to a webhook. Later releases may add types: ignore those that you do not know. */
export type WebhookEvent =
  | AssetLocationChangedEvent
  | AssetOverdueEvent
  | AssetDwellExceededEvent
  | AssetAwayEvent
  | AssetBatteryLowEvent
  | AssetTemperatureHighEvent
  | AssetTemperatureLowEvent
  | AssetButtonPressedEvent
  | AssetLeftContainerEvent
  | AssetProblemReportedEvent
  | ReaderOfflineEvent
  | ReaderOnlineEvent
  | TagUnknownEvent
  | AssetCreatedEvent
  | AssetUpdatedEvent
  | AssetDeletedEvent
  | LocationCreatedEvent
  | LocationUpdatedEvent
  | LocationDeletedEvent
  | WebhookTestEvent;
