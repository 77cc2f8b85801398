// What a mailbox user may do in a mailbox, as it is chosen and said.
import type { ShownMailboxUser } from '../../../src/servers/console/mailbox-schemas.ts'
import { Select } from '../../ui/form.tsx'

type Access = ShownMailboxUser['access']

const ACCESSES: Readonly<Record<Access, readonly [words: string, meaning: string]>> = {
  write: ['Read and write', 'Read and write: files mail, and sends it as the mailbox'],
  read: ['Read', 'Read: files and sends none'],
}

export const accessInWords = (access: Access): string => ACCESSES[access][0]

export function AccessField({ chosen, autoFocus = false }: { chosen: Access; autoFocus?: boolean }) {
  return (
    <Select label="Access" name="access" autoFocus={autoFocus}>
      {Object.entries(ACCESSES).map(([access, [, meaning]]) => (
        <option key={access} value={access} selected={access === chosen}>
          {meaning}
        </option>
      ))}
    </Select>
  )
}
