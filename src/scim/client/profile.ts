/**
 * How an application differs from what it announces and from the standard. These are data, so that
 * no code knows the name of an application (docs/provisioning.md: Applications that differ).
 */
export interface Profile {
  /** Whether it accepts PATCH; null: as it announces. */
  readonly patch: boolean | null;
  /** Whether it accepts filters; null: as it announces. */
  readonly filter: boolean | null;
  /** Whether it checks `If-Match`; null: as it announces. */
  readonly etag: boolean | null;
  /** Whether it stores `externalId`. */
  readonly external_id: boolean;
  /**
   * Whether the operations of a PATCH name the paths of attributes. If not, they hold an object.
   */
  readonly patch_paths: boolean;
  /** `path`: `members[value eq "…"]`, as the standard says. `value`: the member as the value of `members`. */
  readonly member_removal: 'path' | 'value';
  /** How many members one PATCH may add or remove. */
  readonly members_at_once: number;
  /**
   * Whether groups show all their members. False: lists may be cut. Null: a list that is present is
   * complete, but a group without a list may have members. With false or null the service never
   * writes the complete list.
   */
  readonly shows_all_members: boolean | null;
  /** How it returns the pages of lists; null: as it announces, or else by index. */
  readonly paging: 'index' | 'cursor' | null;
  /** How many resources to request in a page. */
  readonly page_size: number;
  /** The media type of requests. */
  readonly media_type: 'application/scim+json' | 'application/json';
}

/** An application that follows the standard. */
export const STANDARD: Profile = {
  patch: null,
  filter: null,
  etag: null,
  external_id: true,
  patch_paths: true,
  member_removal: 'path',
  members_at_once: 100,
  shows_all_members: null,
  paging: null,
  page_size: 100,
  media_type: 'application/scim+json',
};
