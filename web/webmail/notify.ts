// Says outside of the page that mail has come in: where the user has turned it on, the browser lets it, and no tab of ours shows.
import type { OwnSettingsAnswer } from '../../src/servers/webmail/content-schemas.ts'
import { plainWords } from '../ui/plain-words.ts'
import { queries } from '../ui/query.ts'
import { read } from '../ui/request.ts'
import { go } from '../ui/router.ts'
import { messageHref } from './place.ts'
import { SETTINGS_PATH } from './settings/own-settings.ts'
import type { Page, Row } from './shapes.ts'

/** What comes in within it is said together. */
const TOGETHER_MS = 400
/** Held by each tab that shows. */
const SHOWS = 'webmail-shows'

const arrived = new Set<string>()
let waiting: ReturnType<typeof setTimeout> | undefined

/** A message that was received. */
export function notifyOf(id: string): void {
  const isOn = queries.getQueryData<OwnSettingsAnswer>([SETTINGS_PATH])?.notifications
  if (!isOn || !('Notification' in globalThis) || Notification.permission !== 'granted') return
  arrived.add(id)
  if (waiting === undefined) waiting = setTimeout(() => void tell().catch(() => {}), TOGETHER_MS)
}

async function tell(): Promise<void> {
  waiting = undefined
  const ids = new Set(arrived)
  arrived.clear()
  if (document.visibilityState === 'visible' || (await isShownElsewhere())) return
  const { items } = await read<Page>('/data/messages?folder=inbox')
  const fresh = items.filter((row) => ids.has(row.id) && !row.isRead)
  const [first] = fresh
  if (!first) return
  // Each tab says it, and they all say the same once.
  if (fresh.length === 1)
    show(whoOf(first), plainWords(first.subject || first.preview), first.id, messageHref(first.id, INBOX))
  else show(`${fresh.length} new messages`, fresh.map(whoOf).join(', '), first.id, '/inbox')
}

const INBOX = { list: 'inbox', q: '', mailbox: undefined } as const

const whoOf = ({ people }: Row): string =>
  people.map(({ name, address }) => plainWords(name ?? '').trim() || address).join(', ')

function show(title: string, body: string, tag: string, to: string): void {
  const notification = new Notification(title, { body, tag })
  notification.onclick = () => {
    focus()
    go(to)
    notification.close()
  }
}

const isShownElsewhere = async (): Promise<boolean> =>
  Boolean((await navigator.locks.query()).held?.some(({ name }) => name === SHOWS))

/** Has the other tabs know whether this one shows. */
export function tellWhetherShown(): void {
  let leave = (): void => {}
  const follow = (): void => {
    leave()
    if (document.visibilityState !== 'visible') return
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    void navigator.locks.request(SHOWS, { mode: 'shared' }, () => left)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}
