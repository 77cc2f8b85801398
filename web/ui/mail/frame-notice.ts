// What the page and its frame tell each other. What the frame says is taken for what it is: a page full of a stranger's HTML
// may have said it. Pure.
import { safeTarget } from './link-target.ts'

/** To the frame, once it has said that it is ready. */
export interface ShowMail {
  html: string
  /** What `cid:` URLs stand for: `data:` URLs, or paths below `/inline/`. */
  images: Readonly<Record<string, string>>
  /** By the URLs of images that somebody else has, paths below `/image/`: what is not among them is held back. */
  fetched?: Readonly<Record<string, string>>
  /** Links look like the text around them: nobody is to be led to follow one. */
  plainLinks?: boolean
  /** It is to be said as a quotation, and not shown; by what `cid:` URLs name, the ids of the files that go along. */
  quotes?: Readonly<Record<string, string>>
  /** Comes back with what is said of it, so that it is not taken for what is said of another. */
  turn?: number
}

/** What the page says that is a message to show; whatever else somebody says to frames, as tools that look at pages do, is not. */
export function readMail(data: unknown): ShowMail | undefined {
  const { html, images, fetched, quotes } = (typeof data === 'object' && data !== null ? data : {}) as Record<
    string,
    unknown
  >
  const areMaps = [fetched, quotes].every((each) => each === undefined || isObject(each))
  const isMail = typeof html === 'string' && isObject(images) && areMaps
  return isMail ? (data as ShowMail) : undefined
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** A message as it may be quoted; `html`: null when it is too long. The page shows it in a frame again, and nowhere else. */
export interface Quotation {
  html: string | null
  text: string
}

/** From the frame. */
export type FrameNotice =
  | { type: 'ready' }
  /** `heldBack`: how many images are not shown; `urls`: those of them that could be fetched. */
  | { type: 'shown'; turn: number; heldBack: number; misleading: number; urls: string[] }
  | ({ type: 'quoted'; turn: number } & Quotation)
  /** In pixels. */
  | { type: 'height'; turn: number; height: number }
  /** One that was pressed by itself, or with Shift, while the frame had the focus. */
  | { type: 'key'; key: string; shiftKey: boolean }
  /** A link that was followed. */
  | { type: 'link'; href: string }

/** Higher than any message that is read to its end; it scrolls within from there on. */
export const MOST_HEIGHT = 20_000
const LEAST_HEIGHT = 80
const MOST_COUNTED = 10_000
/** How many of the images that are held back can be asked for, and how long their URLs may be. */
export const MOST_URLS = 200
export const MOST_URL_CHARACTERS = 2_048
/** Beside what is written it is to fit into a message. */
export const MOST_QUOTED_CHARACTERS = 1_000_000
/** Faster than any keyboard repeats. */
const MOST_NOTICES_PER_SECOND = 50

/** Undefined when it is nothing of the kind. */
export function readNotice(data: unknown): FrameNotice | undefined {
  const said = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>
  const { type, height, heldBack, misleading, urls = [], turn = 0, key, shiftKey, href, html, text } = said
  if (type === 'ready') return { type }
  if (type === 'height' && isNumber(height) && isNumber(turn)) {
    return { type, turn, height: Math.ceil(Math.min(Math.max(height, LEAST_HEIGHT), MOST_HEIGHT)) }
  }
  if (type === 'shown' && isNumber(heldBack) && isNumber(misleading) && isNumber(turn) && Array.isArray(urls)) {
    const fetchable = urls.slice(0, MOST_URLS).filter(isImageUrl)
    return { type, turn, heldBack: counted(heldBack), misleading: counted(misleading), urls: fetchable }
  }
  if (type === 'quoted' && isNumber(turn) && (html === null || isQuotable(html)) && isQuotable(text)) {
    return { type, turn, html, text }
  }
  if (type === 'key' && isPlainKey(key)) return { type, key, shiftKey: shiftKey === true }
  if (type === 'link' && typeof href === 'string' && href.length <= MOST_URL_CHARACTERS && safeTarget(href)) {
    return { type, href }
  }
  return undefined
}

/** What stands for a character, and Escape. What leads about within a page, and on, stays where it was pressed. */
export function isPlainKey(key: unknown): key is string {
  return key === 'Escape' || (typeof key === 'string' && /^[!-~]$/.test(key))
}

/** An image that may be asked for, by the one spelling of its URL; undefined for any other. */
export function imageUrl(address: string): string | undefined {
  if (address.length > MOST_URL_CHARACTERS) return undefined
  const { protocol, href = '' } = URL.parse(address) ?? {}
  return (protocol === 'https:' || protocol === 'http:') && href.length <= MOST_URL_CHARACTERS ? href : undefined
}

/** Says whether one more notice is heard: whoever says more than a person could is not. `nowMs` only goes forward. */
export function createPace(): (nowMs: number) => boolean {
  let [since, heard] = [Number.NEGATIVE_INFINITY, 0]
  return (nowMs) => {
    if (nowMs - since >= 1_000) [since, heard] = [nowMs, 0]
    return ++heard <= MOST_NOTICES_PER_SECOND
  }
}

const isQuotable = (text: unknown): text is string => typeof text === 'string' && text.length <= MOST_QUOTED_CHARACTERS
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const counted = (value: number): number => Math.min(Math.max(Math.floor(value), 0), MOST_COUNTED)
const isImageUrl = (url: unknown): url is string => typeof url === 'string' && imageUrl(url) === url
