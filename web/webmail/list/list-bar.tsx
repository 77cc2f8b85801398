// What stands over a list: its name, what is chosen in it and what may be done with that, and what is being done with all of it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Ask } from '../../ui/ask.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { deleteFolder, deleteMessages, emptyTrashWords, fileFolder, fileMessages, running } from '../actions.ts'
import { type Action, counted, isOffered } from '../filing.ts'
import { amountIn, type Mailbox, mayWrite } from '../mailbox.ts'
import { FOLDERS, type Place, titleOf } from '../place.ts'
import type { Folder, Row } from '../shapes.ts'
import { chosenAmong, extentOf, NONE } from './chosen.ts'
import type { ListStore } from './list-store.ts'

interface Props {
  store: ListStore
  place: Place
  /** Those of which the list is. */
  mailboxes: readonly Mailbox[]
  isMessageOpen: boolean
}

/** As buttons of a bar; what does not make sense where the list is, is not among them. */
const BUTTONS: readonly (readonly [action: Action, words: string, icon: IconName])[] = [
  ['archive', 'Archive', 'archive'],
  ['inbox', 'Move to inbox', 'inbox'],
  ['spam', 'Spam', 'spam'],
  ['trash', 'Trash', 'trash'],
  ['read', 'Mark as read', 'opened'],
  ['unread', 'Mark as unread', 'messages'],
  ['star', 'Star', 'star'],
]

export function ListBar({ store, place, mailboxes, isMessageOpen }: Props) {
  const [isWhole, setWhole] = useState(false)
  const [asks, setAsks] = useState<'delete' | 'empty'>()
  const all = useRef<HTMLInputElement>(null)
  const { entries, goesOn } = store.shown.value
  const keys = entries.flatMap(({ key, row }) => (row && mayWrite(mailboxes, row.mailboxId) ? [key] : []))
  const chosen = chosenAmong(store.chosen.value, keys)
  const extent = extentOf(chosen.length, keys.length)
  const folder = place.list === 'search' ? undefined : place.list
  const writable = mailboxes.filter(({ access }) => access === 'write')
  const total = folder === undefined ? 0 : amountIn(writable, folder).messages
  const rows = (): Row[] => chosen.flatMap((key) => store.row(key) ?? [])
  // All that shows was chosen: what is fetched by and by is as well, until one of them is not.
  const allOfThem = useRef<ReadonlySet<string>>(NONE)
  const isAll = chosen.length > 0 && store.chosen.value === allOfThem.current
  const chooseAll = () => {
    allOfThem.current = new Set(keys)
    store.chosen.value = allOfThem.current
  }
  useEffect(() => {
    if (isAll && chosen.length < keys.length) chooseAll()
  }, [isAll, keys.length])
  useEffect(() => {
    if (all.current) all.current.indeterminate = extent === 'some'
    if (!isAll) setWhole(false)
  }, [extent, isAll])
  const clear = () => {
    store.chosen.value = NONE
    setWhole(false)
  }

  function act(action: Action): void {
    if (isWhole && folder) void fileFolder(action, { folder, mailbox: place.mailbox }, untilNow(entries), total)
    else fileRows(action, rows(), place)
    clear()
  }

  async function deleteForGood(): Promise<void> {
    if (!folder) return
    if (isWhole) void deleteFolder({ folder, mailbox: place.mailbox }, untilNow(entries), total)
    else {
      const ids = rows().map(({ id }) => id)
      await deleteMessages(ids, { folder, mailbox: place.mailbox, wholeConversations: true })
    }
    clear()
  }

  const title = titleOf(place)
  const amount = isWhole ? total : chosen.length
  // The plain names are those of the message that is open.
  const suffix = isMessageOpen ? <span class="unseen"> selected</span> : null
  return (
    <header class="list-bar">
      <div class="beside">
        {keys.length > 0 && (
          <input
            ref={all}
            type="checkbox"
            aria-label="Select all shown"
            checked={extent === 'all'}
            onChange={() => (extent === 'all' ? clear() : chooseAll())}
          />
        )}
        {isMessageOpen ? <h2>{title}</h2> : <h1>{title}</h1>}
        {folder === 'trash' && total > 0 && chosen.length === 0 && (
          <button type="button" class="small danger" onClick={() => setAsks('empty')}>
            Empty trash
          </button>
        )}
      </div>
      {chosen.length > 0 && (
        <div class="chosen-bar stack tight">
          <div class="beside" role="toolbar" aria-label="Selected">
            <span class="soft" role="status">
              {new Intl.NumberFormat('en').format(amount)} selected
            </span>
            {BUTTONS.filter(([action]) => folder === undefined || isOffered(action, folder)).map(
              ([action, words, icon]) => (
                <button key={action} type="button" class="small quiet" onClick={() => act(action)}>
                  <Icon name={icon} />
                  {words}
                  {suffix}
                </button>
              ),
            )}
            {folder === 'trash' && (
              <button type="button" class="small quiet danger" onClick={() => setAsks('delete')}>
                Delete for good
                {suffix}
              </button>
            )}
          </div>
          {folder !== undefined && isAll && goesOn && total > 0 && (
            <p class="beside">
              {isWhole ? (
                <button type="button" class="small quiet" onClick={clear}>
                  Clear selection
                </button>
              ) : (
                <button type="button" class="small quiet" onClick={() => setWhole(true)}>
                  Select all {new Intl.NumberFormat('en').format(total)} in {FOLDERS[folder]}
                </button>
              )}
            </p>
          )}
        </div>
      )}
      <Progress />
      {asks === 'empty' && (
        <Ask title="Empty the trash?" verb="Empty trash" onYes={emptyTrash} onClose={() => setAsks(undefined)}>
          {emptyTrashWords(total)}
        </Ask>
      )}
      {asks === 'delete' && (
        <Ask title="Delete for good?" verb="Delete for good" onYes={deleteForGood} onClose={() => setAsks(undefined)}>
          {isWhole ? counted(total) : 'What is selected'} is gone for everybody who has the mailbox. It cannot be taken
          back.
        </Ask>
      )}
    </header>
  )

  async function emptyTrash(): Promise<void> {
    void deleteFolder({ folder: 'trash', mailbox: place.mailbox }, untilNow(entries), total)
  }
}

/** Where each of them lies: what was found may lie anywhere. */
export function fileRows(action: Action, rows: readonly Row[], place: Place): void {
  const byFolder = Map.groupBy(rows, ({ folder }) => folder ?? (place.list as Folder))
  for (const [folder, those] of byFolder) {
    if (!isOffered(action, folder)) continue
    const ids = those.map(({ id }) => id)
    void fileMessages(action, ids, { folder, mailbox: place.mailbox, wholeConversations: place.list !== 'search' })
  }
}

/** The instant of the newest that shows: what comes in from now on is left alone. */
function untilNow(entries: readonly { row: Row | undefined }[]): string {
  const newest = entries[0]?.row?.at
  // To the end of its millisecond.
  return new Date((newest ? Date.parse(newest) : Date.now()) + 1).toISOString()
}

function Progress() {
  const now = running.value
  if (!now) return null
  const number = new Intl.NumberFormat('en')
  return (
    <div class="beside" role="status">
      <progress aria-label={now.words} value={now.done} max={Math.max(1, now.total)} />
      <span>
        {now.words}: {number.format(now.done)} of {number.format(now.total)}
      </span>
      <button type="button" class="small" onClick={now.stop}>
        Stop
      </button>
    </div>
  )
}
