// A list as a pane: the field that finds, what is chosen, and the messages of a folder or those that were found.
import { useEffect, useRef } from 'preact/hooks'
import { EmptyState, FaultState, Loaded } from '../../ui/states.tsx'
import { type Mailbox, shownOf, tabTitle, useMailboxes } from '../mailbox.ts'
import { type Place, titleOf } from '../place.ts'
import { useKeptFocus } from './keep-focus.ts'
import { fileRows, ListBar } from './list-bar.tsx'
import type { ListStore } from './list-store.ts'
import { focusRow, MessageList } from './message-list.tsx'
import { SearchField } from './search-field.tsx'
import { forgetLists } from './stores.ts'

const EMPTY: Record<Place['list'], string> = {
  inbox: 'New mail shows here as it comes in.',
  sent: 'What is sent from here is kept here.',
  archive: 'Archive what you have dealt with, and it is kept here, out of the inbox.',
  spam: 'Mail that looks like spam is put here.',
  trash: 'What you put into the trash stays here for a while.',
  search:
    'Try other words, or fewer. The search covers the subject, the text, who wrote it and to whom, and names of files.',
}

interface Props {
  place: Place
  store: ListStore
  openId: string | undefined
  follow: number
}

export const LIST_PANE = 'list-pane'

export function ListPane(props: Props) {
  const mailboxes = useMailboxes()
  const ids = mailboxes.data?.items.map(({ id }) => id).join(' ')
  const idsBefore = useRef(ids)
  useEffect(() => {
    if (idsBefore.current !== undefined && idsBefore.current !== ids) forgetLists()
    idsBefore.current = ids
  }, [ids])
  const pane = useRef<HTMLElement>(null)
  const store = useRef(props.store)
  store.current = props.store
  useKeptFocus(pane, () => store.current.cursor.value)
  return (
    <section ref={pane} class="list-pane" id={LIST_PANE} aria-label={titleOf(props.place)}>
      <SearchField place={props.place} />
      <Loaded query={mailboxes}>
        {({ items }) =>
          shownOf(items, props.place.mailbox).length > 0 ? (
            <Listed {...props} mailboxes={shownOf(items, props.place.mailbox)} />
          ) : (
            <>
              <Heading {...props} />
              {items.length > 0 ? (
                <NoSuchMailbox />
              ) : (
                <EmptyState title="You have no mailbox">Ask whoever invited you to give you one.</EmptyState>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** The URL names one that is none, or somebody else's, or is the user's no more. */
function NoSuchMailbox() {
  return (
    <EmptyState title="This mailbox is not here">
      There is none of that name, or you have no access to it. <a href="/inbox">Show the inbox of your mailboxes</a>
    </EmptyState>
  )
}

function Heading({ place, openId }: Props) {
  return (
    <header class="list-bar">{openId === undefined ? <h1>{titleOf(place)}</h1> : <h2>{titleOf(place)}</h2>}</header>
  )
}

function Listed({ mailboxes, ...props }: Props & { mailboxes: readonly Mailbox[] }) {
  const { place, store, openId, follow } = props
  const { entries, goesOn, isEmptyYet, isPaused, arrived, ignored, isIndexing, fault } = store.shown.value
  const title = tabTitle(titleOf(place), mailboxes)
  useEffect(() => {
    if (openId === undefined) document.title = title
  }, [openId, title])
  // Nothing shows yet that could say what is to be fetched.
  useEffect(() => {
    if (entries.length === 0) store.show({ first: 0, last: 0 })
  }, [store, entries.length])
  if (place.list === 'search' && place.q.trim() === '') {
    return (
      <>
        <Heading {...props} />
        <EmptyState title="What are you looking for?">Write a few words above.</EmptyState>
      </>
    )
  }
  const rest = entries.length === 0 && (isEmptyYet || (goesOn && !isPaused)) && !fault
  return (
    <>
      <ListBar store={store} place={place} mailboxes={mailboxes} isMessageOpen={openId !== undefined} />
      {ignored.length > 0 && <p class="alert warn">{ignored.join(' ')}</p>}
      {isIndexing && <p class="alert">Older mail is still being made searchable. It is found as that goes on.</p>}
      {fault && <FaultState fault={fault} again={store.again} />}
      {arrived > 0 && store.scrollTop > 0 && (
        <button type="button" class="small primary arrived" onClick={() => toTop(store)}>
          {arrived} new
        </button>
      )}
      {rest && <div class="loading" aria-busy="true" />}
      {entries.length === 0 && !rest && !fault && !isPaused && (
        <EmptyState title={place.list === 'search' ? 'Nothing found' : `${titleOf(place)} is empty`}>
          {EMPTY[place.list]}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <MessageList
          store={store}
          place={place}
          openId={openId}
          mailboxes={mailboxes}
          label={titleOf(place)}
          follow={follow}
          onAct={(action, row) => fileRows(action, [row], place)}
        />
      )}
      {isPaused && goesOn && (
        <div class="actions further">
          <button type="button" onClick={store.more}>
            Look further back
          </button>
        </div>
      )}
    </>
  )
}

function toTop(store: ListStore): void {
  const pane = document.getElementById(LIST_PANE)
  const scroller = pane?.querySelector('.scroller')
  scroller?.scrollTo({ top: 0 })
  const first = store.shown.value.entries[0]?.key
  if (!pane || first === undefined) return
  store.cursor.value = first
  // Once it is there.
  requestAnimationFrame(() => focusRow(pane, first))
}
