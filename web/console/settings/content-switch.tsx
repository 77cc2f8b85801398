// Who sees what messages say.
import type { Settings } from '../../../src/servers/console/settings-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'

export function ContentSwitch({ peopleSeeContent }: Pick<Settings, 'peopleSeeContent'>) {
  async function set(people: boolean): Promise<void> {
    try {
      await send('PUT', '/data/settings/content', { people })
      toast(people ? 'People see what messages say.' : 'Message content is hidden from everybody here.')
    } finally {
      await Promise.all([changed('/data/settings'), changed('/data/surroundings')])
    }
  }
  return (
    <section class="card stack narrow" aria-labelledby="content-title">
      <h2 id="content-title">What messages say</h2>
      {isOwner() ? (
        <label class="choice">
          <input
            type="checkbox"
            checked={peopleSeeContent}
            onChange={({ currentTarget }) => attempt(() => set(currentTarget.checked))}
          />
          <span>People may see what messages say</span>
        </label>
      ) : (
        <p>{peopleSeeContent ? 'People may see it.' : 'It is hidden from everybody here. An Owner can change that.'}</p>
      )}
      <p class="soft">
        Without it nobody in the console, Owners included, opens the text, HTML, headers, source or attachments of a
        message. Subjects, addresses and what became of each message stay. API keys and users of the webmail see what
        they saw.
      </p>
      <p class="soft">Each time somebody opens one of these, the audit log notes who it was.</p>
    </section>
  )
}
