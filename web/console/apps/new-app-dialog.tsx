// Makes an application, and leads to it.
import type { MadeApp } from '../../../src/servers/console/app-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { go } from '../../ui/router.ts'
import { here } from '../place.ts'

export function NewAppDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Create application" onClose={onClose}>
      <Form onSubmit={make}>
        <Field label="Name" name="name" autoComplete="off" required autoFocus />
        <Select
          label="Environment"
          name="environment"
          hint="A sandbox mails nobody, and has messages and events of its own. The environment never changes."
        >
          <option value="production">Production</option>
          <option value="sandbox">Sandbox</option>
        </Select>
        <div class="actions end">
          <Submit>Create application</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function make({ name = '', environment }: Record<string, string>): Promise<void> {
    const { id } = await send<MadeApp>('POST', '/data/apps', { name: name.trim(), environment })
    onClose()
    await Promise.all([changed('/data/apps'), changed('/data/surroundings')])
    go(here(`/apps/${id}`))
  }
}
