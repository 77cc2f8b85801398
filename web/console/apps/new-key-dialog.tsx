// Makes a key: its name, how long it is good, and what it may do; then the key itself, this once.
import { useState } from 'preact/hooks'
import type { Scope } from '../../../src/access/permissions.ts'
import type { MadeKey, ShownApp } from '../../../src/servers/console/app-schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Choices, Field, Form, Select, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { MadeKeyDialog } from './made-key-dialog.tsx'
import { PRESETS, SCOPES } from './scopes.ts'

const LIFETIMES = [
  ['', 'Never'],
  ['30d', 'In 30 days'],
  ['90d', 'In 90 days'],
  ['365d', 'In a year'],
] as const

export function NewKeyDialog({ onClose, ...app }: Omit<ShownApp, 'keys'> & { onClose(): void }) {
  const [chosen, setChosen] = useState<readonly Scope[]>([])
  const [made, setMade] = useState<MadeKey>()
  if (made) return <MadeKeyDialog {...app} made={made} scopes={chosen} onClose={onClose} />
  return (
    <Dialog title="Create key" onClose={onClose}>
      <Form onSubmit={make}>
        <Field
          label="Name"
          name="name"
          hint="Such as the program that will use it."
          autoComplete="off"
          required
          autoFocus
        />
        <Select label="Expires" name="expiresIn">
          {LIFETIMES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        <Choices label="Scopes" name="scopes" options={SCOPES} chosen={chosen} onChoose={setChosen}>
          <div class="actions">
            {PRESETS.map(([words, scopes]) => (
              <button key={words} type="button" class="small" onClick={() => setChosen(scopes)}>
                {words}
              </button>
            ))}
          </div>
        </Choices>
        <div class="actions end">
          <Submit>Create key</Submit>
        </div>
      </Form>
    </Dialog>
  )

  async function make({ name = '', expiresIn }: Record<string, string>): Promise<void> {
    const request = { name: name.trim(), scopes: chosen, ...(expiresIn ? { expiresIn } : {}) }
    setMade(await send<MadeKey>('POST', `/data/apps/${app.app.id}/keys`, request))
    await changed('/data/apps')
  }
}
