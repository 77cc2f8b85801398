// Shows a stranger's HTML, in a frame without an origin that fetches nothing of its own accord and runs nothing of it.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { createPace, type FrameNotice, readNotice, type ShowMail } from './frame-notice.ts'

/** With `allow-same-origin` it would be this page. */
export const MAIL_SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'

type Shown = Extract<FrameNotice, { type: 'shown' }>
/** `count`: of the images that are not shown; `urls`: of those that could be fetched. */
export type HeldBack = { count: number; urls: readonly string[] }

export interface MailFrameProps extends Omit<ShowMail, 'turn' | 'quotes'> {
  /** What it is called. */
  title?: string
  /** What is said above the message of images that are not shown; that they are not, unless given. */
  aboutHeldBack?(heldBack: HeldBack): ComponentChildren
  /** Hears which link was followed. It opens by itself. */
  onLink?(href: string): void
}

/**
 * Keys that are pressed by themselves while the frame has the focus are pressed at its element too, so that what listens for
 * keys on the page hears them.
 */
export function MailFrame({
  html,
  images,
  fetched,
  plainLinks = false,
  title = 'The message as HTML',
  aboutHeldBack = notShown,
  onLink,
}: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const turn = useRef(0)
  const followed = useRef(onLink)
  followed.current = onLink
  const [isReady, setReady] = useState(false)
  const [shown, setShown] = useState<Shown>()
  const [height, setHeight] = useState(0)

  // Before it can have loaded.
  useLayoutEffect(() => {
    const isHeard = createPace()
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow || origin !== 'null') return
      const notice = readNotice(data)
      switch (notice?.type) {
        case 'ready':
          return setReady(true)
        case 'shown':
          return notice.turn === turn.current && setShown(notice)
        case 'height':
          return notice.turn === turn.current && setHeight((before) => Math.max(before, notice.height))
        case 'key':
          return isHeard(performance.now()) && pressAt(frame.current, notice)
        case 'link':
          return isHeard(performance.now()) && followed.current?.(notice.href)
      }
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])

  // Another message has a height of its own; the same one with its images does not get smaller meanwhile.
  useLayoutEffect(() => {
    setHeight(0)
    setShown(undefined)
  }, [html])

  useEffect(() => {
    if (!isReady) return
    turn.current++
    const mail: ShowMail = { html, images, ...(fetched ? { fetched } : {}), plainLinks, turn: turn.current }
    // A page without an origin cannot be named as the one that is to hear it.
    frame.current?.contentWindow?.postMessage(mail, '*')
  }, [isReady, html, images, fetched, plainLinks])

  return (
    <div class="stack tight">
      {shown && shown.heldBack > 0 && aboutHeldBack({ count: shown.heldBack, urls: shown.urls })}
      {shown && shown.misleading > 0 && (
        <p class="alert warn">
          {shown.misleading === 1
            ? '1 link leads to another site than its words name. It says where.'
            : `${shown.misleading} links lead to other sites than their words name. Each says where.`}
        </p>
      )}
      <iframe
        ref={frame}
        class="mail-html"
        title={title}
        sandbox={MAIL_SANDBOX}
        src="/frame"
        aria-busy={shown ? undefined : 'true'}
        height={height}
      />
    </div>
  )
}

function notShown({ count }: HeldBack) {
  return (
    <p class="alert">
      {count === 1 ? '1 image is not shown' : `${count} images are not shown`}: the sender would know that the message
      was opened.
    </p>
  )
}

/** Whoever has not got the focus is not where keys are pressed. */
function pressAt(frame: HTMLIFrameElement | null, { key, shiftKey }: { key: string; shiftKey: boolean }): void {
  if (document.activeElement !== frame) return
  frame?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }))
}
