// Whether new mail is said outside of the page. The user allows it here, and the browser asks once more for itself.
import { useState } from 'preact/hooks'
import { attempt } from '../../ui/attempt.ts'
import { changeSettings } from './own-settings.ts'

/** Browsers have none over plain http. */
const permissionNow = (): NotificationPermission | 'absent' =>
  'Notification' in globalThis ? Notification.permission : 'absent'

export function Notifications({ isOn }: { isOn: boolean }) {
  const [permission, setPermission] = useState(permissionNow)
  const mayShow = permission === 'granted'

  async function allow(): Promise<void> {
    const answer = await Notification.requestPermission()
    setPermission(answer)
    if (answer === 'granted') await changeSettings({ notifications: true })
  }

  return (
    <section class="card stack tight" aria-labelledby="notifications-title">
      <h2 id="notifications-title">Notifications</h2>
      <p class="soft">{isOn && mayShow ? 'This browser says when mail comes in.' : WORDS[permission]}</p>
      <div class="actions">
        {isOn && mayShow ? (
          <button type="button" onClick={() => attempt(() => changeSettings({ notifications: false }))}>
            Turn off notifications
          </button>
        ) : (
          (permission === 'granted' || permission === 'default') && (
            <button type="button" onClick={() => attempt(allow)}>
              Turn on notifications
            </button>
          )
        )}
      </div>
    </section>
  )
}

const WORDS: Record<ReturnType<typeof permissionNow>, string> = {
  granted: 'New mail shows here alone. Turned on, browsers that you allow it say when mail comes in.',
  default: 'New mail shows here alone. Turned on, this browser says when mail comes in. It asks you first.',
  denied:
    'This browser keeps this site from saying anything. Allow it in the browser’s settings of the site, then load this page again.',
  absent: 'This browser has no notifications for this site.',
}
