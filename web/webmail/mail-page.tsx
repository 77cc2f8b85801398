// A list of messages and, beside it or on a phone in its place, the message that is open. What keys do here.
import { useEffect, useRef, useState } from 'preact/hooks'
import { go, path, query } from '../ui/router.ts'
import { fileMessages, leave, ONE_PANE, openItem } from './actions.ts'
import { answerLinks, composeHref } from './answer-links.ts'
import { type Action, isOffered } from './filing.ts'
import type { Command } from './keys.ts'
import { toggle } from './list/chosen.ts'
import { fileRows } from './list/list-bar.tsx'
import { LIST_PANE, ListPane } from './list/list-pane.tsx'
import type { ListStore } from './list/list-store.ts'
import { SEARCH_FIELD } from './list/search-field.tsx'
import { storeOf } from './list/stores.ts'
import { inMailbox, mailboxesNow, mayWrite } from './mailbox.ts'
import { fetchMessageAhead } from './message/message-data.ts'
import { MessagePage } from './message/message-page.tsx'
import { hrefOf, messageAt, messageHref, type Place, placeAt } from './place.ts'
import { useSettings } from './settings/own-settings.ts'
import type { Row } from './shapes.ts'
import { ShortcutDialog } from './shortcut-dialog.tsx'
import { undo } from './undo.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** What has the focus once a message was opened. */
const OPEN_MESSAGE = 'open-message'
/** While a key is held, what it comes to rest on is opened, and nothing on the way. */
const REST_MS = 120

/** What has the focus when one has gone from page to page: the message that was opened, or the row one comes back to. */
export function landingOfMail(): HTMLElement | null {
  // Somebody writes there already.
  const { activeElement } = document
  if (activeElement?.id === SEARCH_FIELD || activeElement?.closest('.compose form')) return activeElement as HTMLElement
  if (messageAt(path()) !== undefined) return document.getElementById(OPEN_MESSAGE)
  const { cursor } = storeOf(placeAt(path(), query()))
  if (cursor.value === undefined) return null
  return document.querySelector<HTMLElement>(`#${LIST_PANE} li[data-key="${CSS.escape(cursor.value)}"] > a`)
}

export function MailPage() {
  const messageId = messageAt(path())
  const place = placeAt(path(), query())
  const store = storeOf(place)
  const isNamed = messageId === undefined || query().has('in')
  const [isHelping, setHelping] = useState(false)
  const [follow, setFollow] = useState(0)
  const settings = useSettings().data
  const openedByKeys = useRef(new Set<string>())
  const commands = useCommands(store, place, messageId, {
    follow: () => setFollow((n) => n + 1),
    onOpen: (id) => openedByKeys.current.add(id),
  })

  useShortcuts(settings?.shortcuts ?? true, (command) => {
    if (command === 'help') setHelping(true)
    else commands(command)
  })

  // What is open is where keys go on from, and what lies beside it is likely to be opened next.
  useEffect(() => {
    if (messageId === undefined) return
    const { entries } = store.shown.value
    const at = entries.findIndex(({ row }) => row?.id === messageId)
    if (at < 0) return
    // Where it was opened by keys they may be further already.
    if (!openedByKeys.current.has(messageId)) {
      openedByKeys.current.clear()
      store.cursor.value = entries[at]?.key
    }
    const ahead = setTimeout(() => {
      for (const i of [at + 1, at - 1]) {
        const row = entries[i]?.row
        if (row) fetchMessageAhead(row.id, place.mailbox)
      }
    }, REST_MS)
    return () => clearTimeout(ahead)
  }, [messageId, store])

  return (
    <main id="main" tabIndex={-1} class={messageId === undefined ? 'mail' : 'mail opened'}>
      <ListPane place={place} store={store} openId={messageId} follow={follow} />
      <div class="reading" id={OPEN_MESSAGE} tabIndex={-1}>
        {messageId === undefined ? (
          <p class="state nothing-open">No message is open.</p>
        ) : (
          <>
            <a class="button quiet small back" href={hrefOf(place)}>
              Back to the list
            </a>
            <MessagePage
              key={messageId}
              messageId={messageId}
              folder={isNamed && place.list !== 'search' ? place.list : undefined}
              mailbox={place.mailbox}
              onLeft={() => leave([messageId])}
            />
          </>
        )}
      </div>
      {isHelping && <ShortcutDialog onClose={() => setHelping(false)} />}
    </main>
  )
}

/** What each command does with the row that keys act on, or the message that is open. */
function useCommands(
  store: ListStore,
  place: Place,
  messageId: string | undefined,
  { follow, onOpen }: { follow(): void; onOpen(messageId: string): void },
): (command: Command) => void {
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const lastMoved = useRef(0)
  useEffect(() => () => clearTimeout(opening.current), [])

  function move(step: 1 | -1): void {
    const { entries } = store.shown.value
    if (entries.length === 0) return
    const at = entries.findIndex(({ key }) => key === store.cursor.value)
    // The first key goes to the first row.
    const next = entries[at < 0 ? 0 : Math.max(0, Math.min(at + step, entries.length - 1))]
    if (!next) return
    store.cursor.value = next.key
    follow()
    if (messageId === undefined || !next.row) return
    // While keys are held the rows go by, and one of them opens when they rest.
    const isHeld = performance.now() - lastMoved.current < REST_MS
    lastMoved.current = performance.now()
    clearTimeout(opening.current)
    const { id } = next.row
    const open = () => {
      onOpen(id)
      go(messageHref(id, place), { replace: true })
    }
    if (!isHeld) open()
    else opening.current = setTimeout(open, REST_MS)
  }

  /** Those that are chosen, else what is open, else the row. */
  function act(command: Action): void {
    const open = openItem.value
    const chosen = store.shown.value.entries.filter(({ key }) => store.chosen.value.has(key)).map(({ row }) => row)
    if (messageId === undefined && chosen.length > 0) {
      store.chosen.value = new Set()
      actOn(command, chosen)
    } else if (messageId !== undefined && open?.messageId === messageId) {
      const action = command === 'star' && open.isStarred ? 'unstar' : command
      if (!isOffered(action, open.folder)) return
      void fileMessages(action, [messageId], { folder: open.folder, mailbox: open.mailbox, wholeConversations: true })
    } else if (messageId !== undefined) {
      actOn(command, [store.shown.value.entries.find(({ row }) => row?.id === messageId)?.row])
    } else if (store.cursor.value !== undefined) {
      actOn(command, [store.row(store.cursor.value)])
      follow()
    }
  }

  function actOn(command: Action, given: readonly (Row | undefined)[]): void {
    const rows = given.filter((row) => row !== undefined).filter(({ mailboxId }) => mayWrite(mailboxesNow(), mailboxId))
    fileRows(command === 'star' && rows.every(({ isStarred }) => isStarred) ? 'unstar' : command, rows, place)
  }

  return (command) => {
    if (command === 'next') move(1)
    else if (command === 'previous') move(-1)
    else if (command === 'open') {
      const row = store.cursor.value === undefined ? undefined : store.row(store.cursor.value)
      if (!row || row.id === messageId) return
      onOpen(row.id)
      go(messageHref(row.id, place))
    } else if (command === 'back') {
      if (messageId === undefined) return
      go(hrefOf(place))
      follow()
    } else if (command === 'choose') {
      const key = store.cursor.value
      const row = key === undefined ? undefined : store.row(key)
      if (key !== undefined && row && mayWrite(mailboxesNow(), row.mailboxId)) {
        store.chosen.value = toggle(store.chosen.value, key)
      }
    } else if (command === 'search') {
      if (matchMedia(ONE_PANE).matches && messageId !== undefined) go(hrefOf(place))
      // Before the next key, which is written there already; where the list did not show, once it does.
      const focus = () => document.getElementById(SEARCH_FIELD)?.focus()
      focus()
      queueMicrotask(focus)
    } else if (command === 'compose') {
      if (mailboxesNow().some(({ access }) => access === 'write')) go(composeHref(place.mailbox))
    } else if (command === 'reply' || command === 'reply_all' || command === 'forward') {
      const href = messageId === undefined ? undefined : answerLinks.value?.[command]
      if (href !== undefined) go(href)
    } else if (command === 'undo') void undo()
    else if (command === 'inbox' || command === 'sent') go(hrefOf({ list: command, q: '', mailbox: place.mailbox }))
    else if (command === 'drafts') go(inMailbox('/drafts'))
    else if (command !== 'help') act(command)
  }
}
