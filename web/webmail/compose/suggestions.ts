// Whom one has written with, as one types: asked for when the typing rests, and only the last answer counts.
import { useEffect, useState } from 'preact/hooks'
import type { FoundRecipients } from '../../../src/servers/webmail/identity-schemas.ts'
import { read } from '../../ui/request.ts'
import { type Recipient, sameAddress } from './mail-addresses.ts'

const REST_MS = 120
const MOST_CHARACTERS = 320

/** `chosen`: who is there already. Nothing while nothing is typed. What cannot be had is not missed. */
export function useSuggestions(mailboxId: string, typed: string, chosen: readonly Recipient[]): readonly Recipient[] {
  const [found, setFound] = useState<{ of: string; items: readonly Recipient[] }>({ of: '', items: [] })
  const asked = typed.trim()
  useEffect(() => {
    if (asked === '' || asked.length > MOST_CHARACTERS) return
    const left = new AbortController()
    const timer = setTimeout(() => {
      const path = `/data/recipients?${new URLSearchParams({ mailbox: mailboxId, q: asked })}`
      read<FoundRecipients>(path, left.signal).then(
        ({ items }) => setFound({ of: asked, items }),
        () => {},
      )
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [mailboxId, asked])
  // Until there are others they stay, as those who type on mostly want one of them.
  const isOf = asked !== '' && found.of !== '' && asked.startsWith(found.of)
  if (!isOf) return []
  return found.items.filter(({ address }) => !chosen.some((one) => sameAddress(one.address, address)))
}
