// The drafts: what is being written, what will be sent and when, and what could not be sent.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DraftRow } from '../../../src/servers/webmail/draft-schemas.ts'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages } from '../../ui/query.ts'
import { go, query } from '../../ui/router.ts'
import { EmptyState } from '../../ui/states.tsx'
import { composeHref } from '../answer-links.ts'
import type { Command } from '../keys.ts'
import { mailboxesNow } from '../mailbox.ts'
import { hrefOf, withQuery } from '../place.ts'
import { useSettings } from '../settings/own-settings.ts'
import { ShortcutDialog } from '../shortcut-dialog.tsx'
import { undo } from '../undo.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import { DRAFTS_PATH } from './ask-server.ts'
import { discard } from './draft-acts.ts'
import { DraftItem } from './draft-item.tsx'
import { mergeRows } from './draft-rows.ts'
import { pendingDrafts } from './draft-store.ts'
import { draftHref } from './tell.tsx'

/** The keys that do something here: drafts are not selected, and go one by one. */
const HERE = {
  ...{ next: true, previous: true, open: true, undo: true, compose: true, inbox: true, sent: true, help: true },
  trash: 'Discard',
} as const

/** What is due soon changes by itself. */
const LOOK_AGAIN_MS = 3_000

const isOnItsWay = (rows: readonly DraftRow[] | undefined): boolean =>
  rows?.some(({ due }) => due !== null && Date.parse(due.at) - Date.now() < LOOK_AGAIN_MS * 10) ?? false

export function DraftsPage() {
  const mailbox = query().get('mailbox') ?? undefined
  const pages = usePages<DraftRow>(withQuery(DRAFTS_PATH, { mailbox }), (rows) =>
    isOnItsWay(rows) ? LOOK_AGAIN_MS : false,
  )
  const pending = pendingDrafts().filter(({ content }) => !mailbox || content.value.mailboxId === mailbox)
  const rows = mergeRows(pages.items, pending)
  const list = useRef<HTMLUListElement>(null)
  const [isHelping, setHelping] = useState(false)
  const settings = useSettings().data
  useKeptPlace(list, rows?.length ?? 0)

  useShortcuts(settings?.shortcuts ?? true, (command) => {
    if (command === 'help') setHelping(true)
    else act(command, list.current, rows ?? [], mailbox)
  })

  return (
    <Page title="Drafts" product="Webmail">
      <List
        pages={{ ...pages, items: rows && rows.length > 0 ? rows.map(({ row }) => row) : pages.items }}
        empty={
          <EmptyState title="No drafts">
            What you write is kept here as you write it, until you send it or discard it.
          </EmptyState>
        }
      >
        {() => (
          <ul class="plain rows drafts" aria-label="Drafts" ref={list}>
            {rows?.map((each) => (
              <DraftItem key={each.row.id} {...each} />
            ))}
          </ul>
        )}
      </List>
      {isHelping && <ShortcutDialog here={HERE} onClose={() => setHelping(false)} />}
    </Page>
  )
}

const linksIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('li[data-id] > a') ?? []),
]

/** What is discarded by its own button takes the focus with it: it goes on to what stands there then. */
function useKeptPlace(list: { current: HTMLElement | null }, count: number): void {
  const place = useRef(-1)
  useEffect(() => {
    const isLost = document.activeElement === document.body && place.current >= 0
    const links = linksIn(list.current)
    if (isLost) (links[Math.min(place.current, links.length - 1)] ?? document.getElementById('main'))?.focus()
  }, [count])
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      place.current = [...(list.current?.children ?? [])].findIndex((item) => item.contains(target as Node))
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
}

/** Keys act on the row that has the focus. */
function act(
  command: Command,
  list: HTMLElement | null,
  rows: ReturnType<typeof mergeRows> & object,
  mailbox: string | undefined,
): void {
  const links = linksIn(list)
  const at = links.findIndex((link) => link.closest('li')?.contains(document.activeElement))
  const here = rows.find(({ row }) => row.id === links[at]?.closest('li')?.dataset.id)
  if (command === 'next') links[Math.min(at + 1, links.length - 1)]?.focus()
  else if (command === 'previous') links[Math.max(at - 1, 0)]?.focus()
  else if (command === 'undo') void undo()
  else if (command === 'inbox' || command === 'sent') go(hrefOf({ list: command, q: '', mailbox }))
  else if (command === 'compose') compose(mailbox)
  else if (here && command === 'open') go(draftHref(here.row.id))
  else if (here && command === 'trash') void discard(here.row.id)
}

function compose(mailbox: string | undefined): void {
  if (mailboxesNow().some(({ access }) => access === 'write')) go(composeHref(mailbox))
}
