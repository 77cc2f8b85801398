// Whose images show without being asked for.
import { attempt } from '../../ui/attempt.ts'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { SETTINGS_PATH } from './own-settings.ts'

export function ImageSenders({ addresses }: { addresses: readonly string[] }) {
  return (
    <section class="card stack tight" aria-labelledby="images-title">
      <h2 id="images-title">Images from senders</h2>
      <p class="soft">
        Images that lie on other servers are not shown, as the sender would know that you opened the message. Those of
        these senders are, when it is certain that the message is theirs.
      </p>
      {addresses.length === 0 ? (
        <p>There are none. An open message offers it below its images.</p>
      ) : (
        <ul class="plain rows">
          {addresses.map((address) => (
            <li key={address} class="beside apart">
              <bdi>{address}</bdi>
              <button type="button" class="quiet small danger" onClick={() => attempt(() => remove(address))}>
                Remove<span class="unseen"> {address}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )

  async function remove(address: string): Promise<void> {
    await send('DELETE', `/data/image-senders?address=${encodeURIComponent(address)}`)
    await changed(SETTINGS_PATH)
    toast(`Images from ${address} are not shown any more.`)
  }
}
