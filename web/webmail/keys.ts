// Which key does what, as in Gmail. Pure.

export type Command =
  | 'next'
  | 'previous'
  | 'open'
  | 'back'
  | 'choose'
  | 'archive'
  | 'trash'
  | 'spam'
  | 'star'
  | 'read'
  | 'unread'
  | 'undo'
  | 'search'
  | 'help'
  | 'inbox'
  | 'sent'
  | 'compose'
  | 'reply'
  | 'reply_all'
  | 'forward'
  | 'drafts'

export interface KeyPress {
  /** As the browser names it. */
  key: string
  shiftKey?: boolean
  ctrlKey?: boolean
  metaKey?: boolean
  altKey?: boolean
  /** It is held. */
  repeat?: boolean
}

/** Each with what shows in the list of shortcuts. */
export const SHORTCUTS: readonly (readonly [command: Command, keys: readonly string[], words: string])[] = [
  ['next', ['j'], 'Next'],
  ['previous', ['k'], 'Previous'],
  ['open', ['o', 'Enter'], 'Open'],
  ['back', ['u'], 'Back to the list'],
  ['choose', ['x'], 'Select'],
  ['archive', ['e'], 'Archive'],
  ['trash', ['#'], 'Trash'],
  ['spam', ['!'], 'Spam'],
  ['star', ['s'], 'Star, or take the star away'],
  ['read', ['Shift+i'], 'Mark as read'],
  ['unread', ['Shift+u'], 'Mark as unread'],
  ['undo', ['z'], 'Undo'],
  ['compose', ['c'], 'New message'],
  ['reply', ['r'], 'Reply'],
  ['reply_all', ['a'], 'Reply to all'],
  ['forward', ['f'], 'Forward'],
  ['search', ['/'], 'Search'],
  ['inbox', ['g i'], 'Go to the inbox'],
  ['sent', ['g t'], 'Go to sent mail'],
  ['drafts', ['g d'], 'Go to drafts'],
  ['help', ['?'], 'Show these shortcuts'],
]

const BY_KEYS = new Map(SHORTCUTS.flatMap(([command, keys]) => keys.map((each) => [each, command])))
/** Done again and again while the key is held. */
const HELD: readonly Command[] = ['next', 'previous']
const FIRST_OF_TWO = 'g'
/** The second of two keys comes within. */
export const SECOND_WITHIN_MS = 1_500

/** `former`: the key before, while it may be the first of two. Gives what is to be done, and what the next key has before it. */
export function commandFor(press: KeyPress, former: string | undefined): { command?: Command; former?: string } {
  if (press.ctrlKey || press.metaKey || press.altKey) return {}
  const name = nameOf(press)
  const both = former === undefined ? undefined : BY_KEYS.get(`${former} ${name}`)
  if (both) return { command: both }
  if (name === FIRST_OF_TWO && !press.repeat) return { former: name }
  const command = BY_KEYS.get(name)
  return command && (!press.repeat || HELD.includes(command)) ? { command } : {}
}

/** Letters by whether Shift is held, as Caps Lock changes them too; any other key is what it writes, wherever it lies. */
function nameOf({ key, shiftKey }: KeyPress): string {
  if (!/^\p{L}$/u.test(key)) return key
  return shiftKey ? `Shift+${key.toLowerCase()}` : key.toLowerCase()
}
