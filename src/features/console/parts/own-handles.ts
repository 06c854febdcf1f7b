import type { Context } from '../../../context';
import { SealBroken, seal, unseal } from '../../../secrets/vault';
import { sealingKeyOf } from '../../../secrets/vault-key';

/** How addresses of a reader's pages name what is in the graph. */
export interface OwnHandles {
  /** What an address has in place of a key or of the token of a list. */
  readonly hide: (text: string) => string;
  /** What a handle stands for; `null`: the service has not given it to this reader. */
  readonly open: (handle: string) => string | null;
}

/** Somebody with a role may see everything, so addresses name it as the interface does. */
export const PLAIN: OwnHandles = { hide: (text) => text, open: (text) => text };

/**
 * The handles that addresses have in place of keys. A key shows the id of its data source, and a
 * reader could write the key of something that they do not reach. So addresses of a reader without
 * a role have sealed handles. The service gives these only for what the reader reaches, and nobody
 * else can use them.
 */
export const ownHandles = async (
  context: Context,
  { seesAll, person }: { readonly seesAll: boolean; readonly person: string | null },
): Promise<OwnHandles> => {
  if (seesAll) return PLAIN;
  const key = await sealingKeyOf(context)();
  const owner = `handles of ${person ?? 'nobody'}`;
  return {
    hide: (text) => (text === '' ? '' : seal(key, owner, text)),
    open: (handle) => {
      if (handle === '') return '';
      try {
        return unseal(key, owner, handle);
      } catch (error) {
        if (error instanceof SealBroken) return null;
        throw error;
      }
    },
  };
};
