// How the user signs what they send: a name and a signature for each mailbox that they write from.
import type { Identities as Answer, OneIdentity } from '../../../src/servers/webmail/identity-schemas.ts'
import { Field, Form, Submit, TextArea } from '../../ui/form.tsx'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Loaded } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { textOf } from '../drafts/text-of.ts'
import { type Mailbox, useMailboxes } from '../mailbox.ts'
import { signatureOf } from './signature-text.ts'

const IDENTITIES_PATH = '/data/identities'

export function Identities() {
  const writable = useMailboxes().data?.items.filter(({ access }) => access === 'write') ?? []
  return writable.length > 0 ? <Card mailboxes={writable} /> : null
}

function Card({ mailboxes }: { mailboxes: readonly Mailbox[] }) {
  return (
    <section class="card stack" aria-labelledby="identities-title">
      <div>
        <h2 id="identities-title">Name and signature</h2>
        <p class="soft">
          Your name stands before the address in what you send. The signature stands below what you write.
        </p>
      </div>
      <Loaded query={useQuery<Answer>(IDENTITIES_PATH)}>
        {({ items }) => (
          <>
            {mailboxes.map(({ id, address }) => {
              const identity = items.find(({ mailboxId }) => mailboxId === id)
              return identity && <OneForm key={id} identity={identity} address={address} />
            })}
          </>
        )}
      </Loaded>
    </section>
  )
}

function OneForm({ identity, address }: { identity: OneIdentity; address: string }) {
  const { mailboxId, name, signature } = identity
  return (
    <section class="identity" aria-label={address}>
      <Form
        onSubmit={async (values) => {
          const given = { name: values.name?.trim() || null, signature: signatureOf(values.signature ?? '') }
          await send('PUT', `${IDENTITIES_PATH}/${mailboxId}`, given)
          await changed(IDENTITIES_PATH)
          toast('Saved.')
        }}
      >
        <h3>
          <bdi>{address}</bdi>
        </h3>
        <Field label="Name" name="name" defaultValue={name ?? ''} autocomplete="name" />
        <TextArea
          label="Signature"
          name="signature"
          rows={4}
          dir="auto"
          defaultValue={signature === null ? '' : textOf({ format: 'html', body: signature })}
        />
        <div class="actions">
          <Submit quiet>Save</Submit>
        </div>
      </Form>
    </section>
  )
}
