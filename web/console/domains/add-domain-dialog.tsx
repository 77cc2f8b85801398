// Adds a domain, and leads to the records that it needs.
import type { MadeDomain } from '../../../src/servers/console/domain-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { go } from '../../ui/router.ts'
import { here } from '../place.ts'

export function AddDomainDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Add domain" onClose={onClose}>
      <Form onSubmit={add}>
        <Field
          label="Domain"
          name="domain"
          hint="The part after the @, such as example.com. You then get the records to publish in its DNS."
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          required
          autoFocus
        />
        <div class="actions end">
          <Submit>Add domain</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function add({ domain = '' }: Record<string, string>): Promise<void> {
    const { id } = await send<MadeDomain>('POST', here('/data/domains'), { domain: domain.trim() })
    onClose()
    void changed('/data/domains')
    go(here(`/domains/${id}`))
  }
}
