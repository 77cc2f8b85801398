// What the tenant is called: by its people, and in what they are mailed.
import type { Settings } from '../../../src/servers/console/settings-schemas.ts'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'

export function TenantName({ tenant }: Pick<Settings, 'tenant'>) {
  async function rename({ name }: Record<string, string>): Promise<void> {
    await send('PUT', '/data/settings/name', { name })
    await Promise.all([changed('/data/settings'), changed('/data/surroundings')])
    toast('The name is changed.')
  }
  return (
    <section class="card stack narrow" aria-labelledby="name-title">
      <h2 id="name-title">Name of the organization</h2>
      {isOwner() ? (
        <Form onSubmit={rename}>
          <Field
            key={tenant.name}
            label="Name"
            name="name"
            defaultValue={tenant.name}
            autocomplete="off"
            required
            hint="Your people see it here, and in invitations and notices. No recipient of your mail does."
          />
          <div class="actions">
            <Submit>Rename</Submit>
          </div>
        </Form>
      ) : (
        <p>
          <bdi>{tenant.name}</bdi>
        </p>
      )}
    </section>
  )
}
