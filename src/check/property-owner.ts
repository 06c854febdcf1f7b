/** Whose custom properties: a kind, as definitions name it, within applications also the type of application, of resources also theirs. */
export interface PropertyOwner {
  readonly kind: string;
  readonly application_type?: string;
  readonly resource_type?: string;
}
