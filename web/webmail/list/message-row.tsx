// One row of a list: a conversation, or a message that was found. Drawn again only when something of it has changed.
import { Component } from 'preact'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { plainWords } from '../../ui/plain-words.ts'
import { type Action, isOffered } from '../filing.ts'
import { FOLDERS, messageHref, type Place } from '../place.ts'
import type { Folder, Row } from '../shapes.ts'
import { rowTime } from './row-time.ts'

export interface RowActs {
  choose(key: string, isRange: boolean): void
  /** The keyboard's row is where the focus is. */
  focus(key: string): void
  act(action: Action, row: Row): void
  /** Asks what is to be done with it. */
  more(row: Row): void
}

export interface RowProps {
  rowKey: string
  /** Undefined: it is being fetched. */
  row: Row | undefined
  place: Place
  index: number
  top: number
  /** How many there are; -1: it is not known yet. */
  size: number
  isChosen: boolean
  /** Keys act on it. */
  isHere: boolean
  /** Tab leads to it, and to no other. */
  isStop: boolean
  isOpen: boolean
  mayWrite: boolean
  /** Midnight moves what a time says. */
  today: string
  acts: RowActs
}

/** Fingers do not point without pressing: what is done with a row is behind one button, which shows always. */
const IS_TOUCHED = matchMedia('(hover: none)').matches

export const NO_SUBJECT = '(no subject)'

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })

/** What a row says of what was sent, where that is not how it should be. */
const STATUS: Partial<Record<Row['status'], readonly [string, Tone]>> = {
  queued: ['Waiting', 'neutral'],
  bounced: ['Bounced', 'bad'],
  failed: ['Failed', 'bad'],
}

export class MessageRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return Object.keys(next).some((name) => next[name as keyof RowProps] !== this.props[name as keyof RowProps])
  }

  override render({
    rowKey,
    row,
    place,
    index,
    top,
    size,
    isChosen,
    isHere,
    isStop,
    isOpen,
    mayWrite,
    acts,
  }: RowProps) {
    const style = { transform: `translateY(${top}px)` }
    if (!row) return <li style={style} aria-setsize={size} aria-posinset={index + 1} aria-busy="true" />
    const subject = plainWords(row.subject).trim() || NO_SUBJECT
    const folder = row.folder ?? (place.list as Folder)
    const tabIndex = isStop ? 0 : -1
    const classes = [!row.isRead && 'unread', isChosen && 'chosen', isHere && 'here', isOpen && 'open']
    const status = folder === 'sent' ? STATUS[row.status] : undefined
    const button = (action: Action, words: string, icon: IconName) =>
      isOffered(action, folder) && (
        <button
          type="button"
          class={`quiet small icon-only ${action}`}
          tabIndex={tabIndex}
          aria-label={`${words} ${subject}`}
          title={words}
          onClick={() => acts.act(action, row)}
        >
          <Icon name={icon} />
        </button>
      )
    return (
      <li
        style={style}
        aria-setsize={size}
        aria-posinset={index + 1}
        class={classes.filter(Boolean).join(' ')}
        data-key={rowKey}
        onFocusIn={() => acts.focus(rowKey)}
      >
        {mayWrite && (
          <span class="choose">
            <input
              type="checkbox"
              tabIndex={tabIndex}
              checked={isChosen}
              aria-label={`Select ${subject}`}
              onClick={(event) => acts.choose(rowKey, event.shiftKey)}
            />
          </span>
        )}
        <a href={messageHref(row.id, place)} tabIndex={tabIndex} aria-current={isOpen ? 'true' : undefined}>
          {!row.isRead && <span class="unseen">Unread. </span>}
          <span class="who" dir="auto">
            {folder === 'sent' && 'To: '}
            {peopleInWords(row)}
            {row.messages > 1 && <span class="amount"> {row.messages}</span>}
          </span>
          <span class="what" dir="auto">
            {subject}
          </span>
          <small class="preview" dir="auto">
            {plainWords(row.preview)}
          </small>
          <span class="marks">
            {row.folder && <Badge>{FOLDERS[row.folder]}</Badge>}
            {status && <Badge tone={status[1]}>{status[0]}</Badge>}
            {row.hasAttachments && (
              <span class="clip">
                <Icon name="clip" />
                <span class="unseen">Has attachments</span>
              </span>
            )}
            <time dateTime={row.at} title={exact.format(new Date(row.at))}>
              {rowTime(row.at, Date.now())}
            </time>
          </span>
        </a>
        {mayWrite && (
          <span class="row-actions">
            {button('archive', 'Archive', 'archive')}
            {button('trash', 'Trash', 'trash')}
            {row.isRead ? button('unread', 'Mark as unread', 'messages') : button('read', 'Mark as read', 'opened')}
            {IS_TOUCHED && (
              <button
                type="button"
                class="quiet small icon-only more"
                tabIndex={tabIndex}
                aria-label={`More for ${subject}`}
                aria-haspopup="dialog"
                onClick={() => acts.more(row)}
              >
                <Icon name="more" />
              </button>
            )}
            {row.isStarred ? button('unstar', 'Unstar', 'star') : button('star', 'Star', 'star')}
          </span>
        )}
      </li>
    )
  }
}

function peopleInWords({ people }: Row): string {
  return people.map(({ name, address }) => plainWords(name ?? '').trim() || address).join(', ') || 'Unknown sender'
}
