// Makes a mailbox, and leads to it.
import type { Domains } from '../../../src/servers/console/domain-schemas.ts'
import type { MadeMailbox } from '../../../src/servers/console/mailbox-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { go } from '../../ui/router.ts'
import { Loaded } from '../../ui/states.tsx'
import { here } from '../place.ts'

/** In a hint. */
const MOST_NAMED = 3

export function CreateMailboxDialog({ onClose }: { onClose(): void }) {
  const domains = useQuery<Domains>(here('/data/domains'))
  return (
    <Dialog title="Create mailbox" onClose={onClose}>
      <Loaded query={domains}>
        {({ items }) => {
          const verified = items.filter((domain) => domain.verified).map(({ domain }) => domain)
          return verified.length > 0 ? <Fields domains={verified} onClose={onClose} /> : <NoDomain onClose={onClose} />
        }}
      </Loaded>
    </Dialog>
  )
}

function NoDomain({ onClose }: { onClose(): void }) {
  return (
    <p>
      A mailbox is made on a verified domain, and there is none yet.{' '}
      <a href={here('/domains')} onClick={onClose}>
        Add a domain, and publish its records.
      </a>
    </p>
  )
}

function Fields({ domains, onClose }: { domains: readonly string[]; onClose(): void }) {
  const named = domains.slice(0, MOST_NAMED).map((domain) => `@${domain}`)
  return (
    <Form onSubmit={make}>
      <Field
        label="Address"
        name="address"
        type="email"
        hint={`It ends in ${named.join(' or ')}${domains.length > MOST_NAMED ? ', or another verified domain' : ''}.`}
        autoComplete="off"
        placeholder={`hello@${domains[0]}`}
        required
        autoFocus
      />
      <Field label="Name" name="name" hint="Recipients see it beside the address." autoComplete="off" required />
      <div class="actions end">
        <Submit>Create mailbox</Submit>
      </div>
    </Form>
  )

  async function make({ address = '', name = '' }: Record<string, string>): Promise<void> {
    const made = { address: address.trim(), name: name.trim() }
    const { id } = await send<MadeMailbox>('POST', here('/data/mailboxes'), made)
    onClose()
    void changed('/data/mailbox')
    go(here(`/mailboxes/${id}`))
  }
}
