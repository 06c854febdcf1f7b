import type { Label } from './graph';
import type { AnyEntity, AssumedRoleArns, LocalEntity, Owner } from './payload';
import { below } from './pointer';
import { arnsOf } from './stated-links';
import { listed } from './text';
import type { Mention } from './warnings';

/** How warnings call each kind (docs/rules.md: Warnings). */
const words = new Map<Label, string>([
  ['IdpDomain', 'domain'],
  ['IdpUser', 'user'],
  ['IdpGroup', 'group'],
  ['IdpApp', 'app'],
  ['HrisSystem', 'system'],
  ['Employee', 'employee'],
  ['HrisGroup', 'group'],
  ['Application', 'application'],
  ['LocalUser', 'local user'],
  ['LocalGroup', 'local group'],
  ['LocalRole', 'local role'],
  ['LocalAgent', 'agent'],
  ['LocalModel', 'model'],
  ['AccessCredential', 'access credential'],
  ['Resource', 'resource'],
  ['Permission', 'permission'],
]);

/** How warnings call a kind of entity (docs/rules.md: Warnings). */
export function inWords(kind: Label): string {
  return words.get(kind) ?? '';
}

/** How warnings call an entity: by its name as sent, else its own id; with the application around it, as sent. */
export function called(kind: Label, sent: object, application: string | null): string {
  const { name, identity, unique_id, id } = sent as Readonly<Record<string, unknown>>;
  const text = [name, identity, unique_id, id].find((one) => typeof one === 'string' && one !== '');
  const inside = application === null ? '' : ` of application ${JSON.stringify(application)}`;
  return `${inWords(kind)} ${JSON.stringify(text ?? '')}${inside}`;
}

/** The fields that a mention may be about, of whatever kind. */
type Mentioning = AnyEntity &
  LocalEntity & {
    readonly owners?: readonly Owner[] | null;
    readonly assumed_role_arns?: AssumedRoleArns | null;
  };

/** What an entry states that may deserve a warning, one for each field that it has (docs/rules.md: Warnings). */
export function mentionsOf(
  kind: Label,
  key: string,
  entry: object,
  pointer: string,
  application: string | null,
): readonly Mention[] {
  const sent = entry as Mentioning;
  const who = called(kind, sent, application);
  const mention = (about: Mention['about'], field: string, names: readonly string[]): Mention => ({
    about,
    names,
    key,
    field,
    where: `${who}: ${field}`,
    pointer: below(pointer, field),
  });
  const found: Mention[] = [];
  if (Object.hasOwn(sent, 'identities')) {
    const names = listed(sent.identities).filter((name) => name !== '');
    found.push(mention('identities', 'identities', names));
  }
  if (Object.hasOwn(sent, 'owners')) {
    const names = listed(sent.owners).map((owner) => owner.external_id);
    found.push(mention('identities', 'owners', names));
  }
  // An empty object changes nothing: what an earlier entry said still stands.
  if (Object.hasOwn(sent, 'assumed_role_arns') && !isEmptyObject(sent.assumed_role_arns)) {
    found.push(mention('roles', 'assumed_role_arns', arnsOf(sent.assumed_role_arns)));
  }
  return found;
}

function isEmptyObject(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}

/** A local role that an entry adds, or whose contents it changes, may allow nothing (docs/rules.md: Problems). */
export function mentionOfRole(
  key: string,
  sent: object,
  pointer: string,
  application: string | null,
): Mention {
  const where = called('LocalRole', sent, application);
  return { about: 'permissions', names: [], key, field: 'permissions', where, pointer };
}
