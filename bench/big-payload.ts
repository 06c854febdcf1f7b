import type { ApplicationPayload } from '../src/templates/application/payload';
import { applicationPayload } from './application-payload';

const SENTENCE =
  'A sentence that somebody once wrote into a field of the system from which all of this came. ';
/** The most bytes of a text field (docs/rules.md: Limits). */
const LONGEST = 256;
const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p'].map(
  (letter) => `notes_${letter}`,
);

/**
 * An application payload of about `elements` nodes and relationships and `bytes` of JSON. Long
 * texts in custom properties of users fill it up to its size.
 */
export const bigPayload = (elements: number, bytes: number, seed: number): ApplicationPayload => {
  const payload = applicationPayload(elements, seed);
  const plain = Buffer.byteLength(JSON.stringify(payload));
  const applications = payload.applications ?? [];
  const users = applications.reduce((sum, { local_users }) => sum + (local_users?.length ?? 0), 0);
  const each = Math.max(0, Math.floor((bytes - plain) / users));
  const frame = '"notes_a":"",'.length;
  const text = SENTENCE.repeat(3).slice(0, LONGEST);
  const fields = FIELDS.slice(0, Math.floor(each / (frame + LONGEST)));
  const notes = Object.fromEntries(fields.map((field) => [field, text]));
  const declared = Object.fromEntries(fields.map((field) => [field, 'STRING' as const]));
  return {
    ...payload,
    custom_property_definition: {
      applications: (payload.custom_property_definition?.applications ?? []).map((definition) => ({
        ...definition,
        local_user_properties: { ...definition.local_user_properties, ...declared },
      })),
    },
    applications: applications.map((application) => ({
      ...application,
      local_users: (application.local_users ?? []).map((user) => ({
        ...user,
        custom_properties: { ...user.custom_properties, ...notes },
      })),
    })),
  };
};
