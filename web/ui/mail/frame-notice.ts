// What the page and its frame tell each other. What the frame says is taken for what it is: a page full of a stranger's HTML
// may have said it. Pure.

/** To the frame, once it has said that it is ready. */
export interface ShowMail {
  html: string
  /** What `cid:` URLs stand for, as `data:` URLs. */
  images: Readonly<Record<string, string>>
}

/** From the frame. */
export type FrameNotice =
  | { type: 'ready' }
  | { type: 'shown'; heldBack: number; misleading: number }
  /** In pixels. */
  | { type: 'height'; height: number }

/** Higher than any message that is read to its end; it scrolls within from there on. */
export const MOST_HEIGHT = 20_000
const LEAST_HEIGHT = 80
const MOST_COUNTED = 10_000

/** Undefined when it is nothing of the kind. */
export function readNotice(data: unknown): FrameNotice | undefined {
  const { type, height, heldBack, misleading } = (typeof data === 'object' && data !== null ? data : {}) as Record<
    string,
    unknown
  >
  if (type === 'ready') return { type }
  if (type === 'height' && isNumber(height)) {
    return { type, height: Math.ceil(Math.min(Math.max(height, LEAST_HEIGHT), MOST_HEIGHT)) }
  }
  if (type === 'shown' && isNumber(heldBack) && isNumber(misleading)) {
    return { type, heldBack: counted(heldBack), misleading: counted(misleading) }
  }
  return undefined
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const counted = (value: number): number => Math.min(Math.max(Math.floor(value), 0), MOST_COUNTED)
