// The keys that sign mail, opened in the memory of whoever builds it and nowhere else.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SecretBox } from '../lib/secret-box.ts'
import { type DkimOwner, openDkimKey } from './dkim-key.ts'

export interface DkimKeyring {
  /** @throws SealError when the key was sealed by a key of the service that is no longer configured */
  keyOf(owner: DkimOwner, selector: string, sealed: Uint8Array): KeyObject
}

/** Opened keys that are remembered; each is a few kilobytes. */
const REMEMBERED = 1_000

/** Opens each key once, as reading it takes longer than signing a short message. */
export function createDkimKeyring(box: SecretBox): DkimKeyring {
  const opened = new LRUCache<string, KeyObject>({ max: REMEMBERED })
  return {
    keyOf(owner, selector, sealed) {
      const name = `${owner.id}/${selector}`
      const known = opened.get(name)
      if (known) return known
      const key = createPrivateKey(openDkimKey(box, owner, sealed).reveal())
      opened.set(name, key)
      return key
    },
  }
}
