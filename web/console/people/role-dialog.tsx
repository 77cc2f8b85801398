// Gives somebody another role.
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Select, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import type { ListedPerson } from './people-table.tsx'

export function RoleDialog({ person, onClose }: { person: ListedPerson; onClose(): void }) {
  return (
    <Dialog title={`Role of ${person.name ?? person.email}`} onClose={onClose}>
      <Form onSubmit={save}>
        <RoleField chosen={person.role} autoFocus />
        <div class="actions end">
          <Submit>Change role</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function save({ role }: Record<string, string>): Promise<void> {
    await send('PUT', `/data/people/${person.id}/role`, { role })
    onClose()
    await changed('/data/people')
    toast(`${person.email} is ${role === 'owner' ? 'an Owner' : 'an Admin'} now.`)
  }
}

type Role = ListedPerson['role']

const ROLES: Record<Role, string> = {
  admin: 'Admin: sees all activity, tries again what failed',
  owner: 'Owner: may do everything',
}

export function RoleField({ chosen, autoFocus = false }: { chosen: Role; autoFocus?: boolean }) {
  return (
    <Select label="Role" name="role" autoFocus={autoFocus}>
      {Object.entries(ROLES).map(([role, words]) => (
        <option key={role} value={role} selected={role === chosen}>
          {words}
        </option>
      ))}
    </Select>
  )
}
