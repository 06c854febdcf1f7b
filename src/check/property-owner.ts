/**
 * The owner of custom properties: a kind, as definitions name it. In applications the application
 * type is a part of it, and for resources the resource type too.
 */
export interface PropertyOwner {
  readonly kind: string;
  readonly application_type?: string;
  readonly resource_type?: string;
}
