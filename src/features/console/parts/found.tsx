import type { JSX } from 'preact';

import type { Entity } from '../../../contract/answers/questions/entities';
import { useAddresses } from '../frame/reading';
import { From, Name } from './name';

/** The properties that distinguish entities with one name. */
const APART = [
  'email',
  'path',
  'resource_type',
  'application',
  'domain',
  'department',
  'job_title',
  'identity',
  'unique_id',
  'id',
];

const textsOf = (entity: Entity): readonly string[] => {
  const seen = new Set([entity.name]);
  return APART.flatMap((property) => {
    const value = entity.properties[property];
    const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
    if (text === '' || seen.has(text)) return [];
    seen.add(text);
    return [text];
  });
};

const isGone = ({ properties }: Entity): boolean => properties.is_active === false;

/** An entity that was found, with what distinguishes it from others of its name. */
export const FoundEntity = ({
  of,
  leadsTo,
}: {
  readonly of: Entity;
  /** The address to which its name leads, if that is not its own page. */
  readonly leadsTo?: string;
}): JSX.Element => {
  const addresses = useAddresses();
  const href = leadsTo ?? addresses.entity(of);
  const name = <Name>{of.name}</Name>;
  return (
    <li>
      {href === null ? name : <a href={href}>{name}</a>}
      {isGone(of) ? <span class="inactive"> inactive</span> : null}
      <span class="apart">
        {textsOf(of).map((text) => (
          <span key={text}>
            <Name>{text}</Name>
          </span>
        ))}
      </span>
      <From of={of} />
    </li>
  );
};
