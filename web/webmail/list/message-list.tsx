// A list of any length: the rows that show and a few around them are in the page, and what one looks at stays where it is when
// others come and go.
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { Action } from '../filing.ts'
import { type Mailbox, mayWrite } from '../mailbox.ts'
import type { Place } from '../place.ts'
import type { Folder, Row } from '../shapes.ts'
import { toggle, toggleTo } from './chosen.ts'
import type { ListStore } from './list-store.ts'
import { MessageRow, type RowActs } from './message-row.tsx'
import { RowDialog } from './row-dialog.tsx'
import { keyOf } from './rows.ts'
import { rangeOf, scrollToShow, scrollToStay, windowOf } from './window-of.ts'

/** As the style sheet has it. */
const ROW_REM = 5

interface Props {
  store: ListStore
  place: Place
  openId: string | undefined
  mailboxes: readonly Mailbox[]
  label: string
  onAct(action: Action, row: Row): void
  /** Counted up: the keyboard's row is to show, and to have the focus. */
  follow: number
}

export function MessageList({ store, place, openId, mailboxes, label, onAct, follow }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [askedKey, setAsked] = useState<string>()
  const [, drawAgain] = useReducer((n: number) => n + 1, 0)
  const shown = store.shown.value
  const chosen = store.chosen.value
  const { entries } = shown
  const here = store.cursor.value ?? entries[0]?.key
  const view = useRef({ height: 0, rowHeight: 80, first: 0, last: 0 })
  const latest = useRef({ entries, here, onAct })
  const before = latest.current.entries
  const isFollowing = useRef(false)
  latest.current = { entries, here, onAct }

  /** What shows now is drawn, and what is missing of it fetched. */
  const look = (): void => {
    const element = scroller.current
    if (!element || element.clientHeight === 0) return
    const { rowHeight, first, last } = view.current
    const count = latest.current.entries.length
    const range = rangeOf({ scrollTop: element.scrollTop, height: element.clientHeight, rowHeight, count })
    view.current = { ...range, rowHeight, height: element.clientHeight }
    store.scrollTop = element.scrollTop
    store.show(range)
    if (range.first === 0) store.seeTop()
    if (range.first !== first || range.last !== last) drawAgain(undefined)
  }

  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const measure = () => {
      if (element.clientHeight === 0) return
      view.current.rowHeight = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      // What was out of sight has forgotten where it was.
      element.scrollTop = store.scrollTop
      look()
      drawAgain(undefined)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [store])

  // Others have come or gone before what one looks at.
  useLayoutEffect(() => {
    const element = scroller.current as HTMLDivElement
    const { first, rowHeight } = view.current
    if (element.clientHeight > 0 && element.scrollTop > 0 && before !== entries) {
      const kept = stayed(before, entries, first)
      if (kept && kept.before !== kept.after) {
        element.scrollTop = scrollToStay(element.scrollTop, kept.before, kept.after, rowHeight)
      }
    }
    look()
  }, [entries])

  useLayoutEffect(() => {
    if (follow === 0 || latest.current.here === undefined) return
    const element = scroller.current as HTMLDivElement
    const index = latest.current.entries.findIndex(({ key }) => key === latest.current.here)
    if (index < 0 || element.clientHeight === 0) return
    const { height, rowHeight } = view.current
    const scrollTop = scrollToShow(index, { scrollTop: element.scrollTop, height, rowHeight, count: 0 })
    if (scrollTop !== element.scrollTop) {
      element.scrollTop = scrollTop
      look()
    }
    if (openId !== undefined) return
    isFollowing.current = true
    focusRow(element, latest.current.here)
    isFollowing.current = false
  }, [follow, here])

  const acts = useMemo<RowActs>(() => {
    let last: string | undefined
    return {
      choose(key, isRange) {
        const keys = latest.current.entries.map((entry) => entry.key)
        store.chosen.value = isRange ? toggleTo(store.chosen.value, keys, last, key) : toggle(store.chosen.value, key)
        last = key
      },
      focus(key) {
        // Where the focus follows the keys, they may be further already.
        if (!isFollowing.current) store.cursor.value = key
      },
      act: (action, row) => latest.current.onAct(action, row),
      more: (row) => setAsked(keyOf(row)),
    }
  }, [store])

  const { rowHeight } = view.current
  const drawn = windowOf(view.current, entries.length)
  const inPage = entries.slice(drawn.first, drawn.last + 1)
  const stop = inPage.some(({ key }) => key === here) ? here : entries[view.current.first]?.key
  const size = shown.goesOn ? -1 : entries.length
  // As it is now: one that has gone is asked about no more.
  const asked = askedKey === undefined ? undefined : entries.find(({ key }) => key === askedKey)?.row
  const today = new Date().toDateString()
  return (
    <div class="scroller" ref={scroller} onScroll={look}>
      <ul class="plain messages" aria-label={label} style={{ height: `${entries.length * rowHeight}px` }}>
        {inPage.map(({ key, row }, i) => (
          <MessageRow
            key={key}
            rowKey={key}
            row={row}
            place={place}
            index={drawn.first + i}
            top={(drawn.first + i) * rowHeight}
            size={size}
            isChosen={chosen.has(key)}
            isHere={key === here}
            isStop={key === stop}
            isOpen={row?.id === openId}
            mayWrite={row !== undefined && mayWrite(mailboxes, row.mailboxId)}
            today={today}
            acts={acts}
          />
        ))}
      </ul>
      {asked && (
        <RowDialog
          row={asked}
          folder={asked.folder ?? (place.list as Folder)}
          onAct={(action) => onAct(action, asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

type Entries = readonly { key: string }[]

/** Where the first of those that showed and are still there stood, and where it stands. */
function stayed(before: Entries, after: Entries, first: number): { before: number; after: number } | undefined {
  for (let i = first; i < Math.min(before.length, first + 50); i++) {
    const { key } = before[i] as { key: string }
    // Most often nothing has moved.
    const at = after[i]?.key === key ? i : after.findIndex((each) => each.key === key)
    if (at >= 0) return { before: i, after: at }
  }
  return undefined
}

export function focusRow(within: ParentNode, key: string): void {
  within.querySelector<HTMLElement>(`li[data-key="${CSS.escape(key)}"] > a`)?.focus({ preventScroll: true })
}
