// The HTML of a message, in the frame for strangers' HTML, and whether the images that somebody else has show in it.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { attempt } from '../../ui/attempt.ts'
import { type HeldBack, MailFrame } from '../../ui/mail/mail-frame.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { SETTINGS_PATH } from '../settings/own-settings.ts'
import { contentPath } from './message-data.ts'
import type { Message } from './shapes.ts'

interface Props {
  message: Message
  html: string
  /** Its links do not look like some that want to be followed. */
  isSuspect: boolean
}

export function HtmlBody({ message, html, isSuspect }: Props) {
  const { id, inline } = message
  const [fetched, setFetched] = useState<Readonly<Record<string, string>>>()
  const show = async (urls: readonly string[]): Promise<void> => {
    const { images } = await send<{ images: Record<string, string> }>('POST', `${contentPath(id)}/images`, { urls })
    setFetched(images)
  }
  const about = useCallback(
    (heldBack: HeldBack) => (
      <HeldBackImages message={message} heldBack={heldBack} wereAsked={fetched !== undefined} show={show} />
    ),
    [message, fetched],
  )
  return <MailFrame html={html} images={inline} fetched={fetched} plainLinks={isSuspect} aboutHeldBack={about} />
}

interface HeldBackProps {
  message: Message
  heldBack: HeldBack
  wereAsked: boolean
  show(urls: readonly string[]): Promise<void>
}

/** Fetched for the user they come from here, and the sender knows all the same that the message was opened. */
function HeldBackImages({ message, heldBack: { count, urls }, wereAsked, show }: HeldBackProps) {
  const { from, badge, images } = message
  const address = from?.address
  const mayShow = images.mayShow && urls.length > 0
  useEffect(() => {
    if (images.always && mayShow && !wereAsked) attempt(() => show(urls))
  }, [urls])

  async function always(sender: string): Promise<void> {
    await send('POST', '/data/image-senders', { address: sender })
    await Promise.all([show(urls), changed(SETTINGS_PATH)])
    toast(`Images from ${sender} are shown from now on.`)
  }

  const are = count === 1 ? '1 image is not shown' : `${count} images are not shown`
  if (wereAsked) return <p class="alert">{are}, as what is there is no image that can be.</p>
  if (!mayShow) return <p class="alert">{images.why ?? `${are}.`}</p>
  return (
    <div class="alert beside apart">
      <p>{are}: the sender would know that the message was opened.</p>
      <div class="actions">
        <button type="button" class="small" onClick={() => attempt(() => show(urls))}>
          Show images
        </button>
        {/* Of a sender who is not certain they would not be shown the next time either. */}
        {address && badge?.kind === 'verified' && (
          <button type="button" class="small" onClick={() => attempt(() => always(address))}>
            <span class="cut">
              Always show images from <bdi>{address}</bdi>
            </span>
          </button>
        )}
      </div>
    </div>
  )
}
