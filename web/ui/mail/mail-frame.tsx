// Shows a stranger's HTML, in a frame without an origin that fetches nothing and runs nothing of it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type FrameNotice, readNotice, type ShowMail } from './frame-notice.ts'

/** With `allow-same-origin` it would be this page. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'

type Shown = Extract<FrameNotice, { type: 'shown' }>

export function MailFrame({ html, images }: ShowMail) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [shown, setShown] = useState<Shown>()
  const [height, setHeight] = useState(0)

  // Before it can have loaded.
  useLayoutEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow || origin !== 'null') return
      const notice = readNotice(data)
      if (notice?.type === 'ready') setReady(true)
      if (notice?.type === 'shown') setShown(notice)
      if (notice?.type === 'height') setHeight((before) => Math.max(before, notice.height))
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])

  useEffect(() => {
    // A page without an origin cannot be named as the one that is to hear it.
    if (isReady) frame.current?.contentWindow?.postMessage({ html, images } satisfies ShowMail, '*')
  }, [isReady, html, images])

  return (
    <div class="stack tight">
      {shown && shown.heldBack > 0 && (
        <p class="alert">
          {shown.heldBack === 1 ? '1 image is not shown' : `${shown.heldBack} images are not shown`}: the sender would
          know that the message was opened.
        </p>
      )}
      {shown && shown.misleading > 0 && (
        <p class="alert warn">
          {shown.misleading === 1
            ? '1 link leads to another site than its words name. It says where.'
            : `${shown.misleading} links lead to other sites than their words name. Each says where.`}
        </p>
      )}
      <iframe
        ref={frame}
        class="mail"
        title="The message as HTML"
        sandbox={SANDBOX}
        src="/frame"
        aria-busy={shown ? undefined : 'true'}
        height={height}
      />
    </div>
  )
}
