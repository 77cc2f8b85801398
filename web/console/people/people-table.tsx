// Everybody with a role, a row each.
import { useState } from 'preact/hooks'
import type { MadeLink, People } from '../../../src/servers/console/schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { attempt } from '../../ui/attempt.ts'
import { Badge } from '../../ui/badge.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { session } from '../../ui/session.ts'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'
import { factorsInWords } from './factors.ts'
import { LinkDialog } from './link-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'

export type ListedPerson = People['items'][number]

type Shown =
  | { kind: 'role' | 'remove'; person: ListedPerson }
  | { kind: 'link'; person: ListedPerson; made: MadeLink; purpose: 'invitation' | 'reset' }

export function PeopleTable({ people }: { people: readonly ListedPerson[] }) {
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Role</th>
            <th scope="col">Factors</th>
            <th scope="col">Last seen</th>
            {isOwner() && (
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <Person person={person} />
              <td data-label="Role">
                {person.role === 'owner' ? <Badge tone="accent">Owner</Badge> : <Badge>Admin</Badge>}
              </td>
              <td data-label="Factors">{factorsInWords(person.factors)}</td>
              <td data-label="Last seen">{person.lastSeenAt ? <Time at={person.lastSeenAt} /> : '–'}</td>
              {isOwner() && (
                <td class="actions-cell">
                  <Actions person={person} onShow={setShown} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {shown?.kind === 'link' && <LinkDialog {...shown} email={shown.person.email} onClose={close} />}
      {shown?.kind === 'role' && <RoleDialog person={shown.person} onClose={close} />}
      {shown?.kind === 'remove' && (
        <Ask title={`Remove ${shown.person.email}?`} verb="Remove" onYes={() => remove(shown.person)} onClose={close}>
          Their role here ends at once, and so does whatever they are doing.
        </Ask>
      )}
    </div>
  )
}

function Person({ person: { id, name, email, status, invitedAt } }: { person: ListedPerson }) {
  return (
    <th scope="row">
      <strong>{name ?? email}</strong> {id === session().userId && <Badge>You</Badge>}{' '}
      {status === 'invited' && <Badge tone="warn">Invited</Badge>}
      <br />
      <small>
        {name ? (
          email
        ) : status === 'invited' ? (
          <>
            Invited <Time at={invitedAt} />
          </>
        ) : null}
      </small>
    </th>
  )
}

function Actions({ person, onShow }: { person: ListedPerson; onShow(shown: Shown): void }) {
  async function link(purpose: 'invitation' | 'reset'): Promise<void> {
    const made = await send<MadeLink>('POST', `/data/people/${person.id}/${purpose}`)
    onShow({ kind: 'link', person, made, purpose })
  }
  const of = <span class="unseen"> {person.email}</span>
  return (
    <>
      {person.status === 'invited' ? (
        <button type="button" class="quiet small" onClick={() => attempt(() => link('invitation'))}>
          New link{of}
        </button>
      ) : (
        person.id !== session().userId && (
          <button type="button" class="quiet small" onClick={() => attempt(() => link('reset'))}>
            Reset{of}
          </button>
        )
      )}
      {person.factors.singleSignOn && (
        <button type="button" class="quiet small" onClick={() => attempt(() => unlink(person))}>
          Unlink single sign-on{of}
        </button>
      )}
      <button type="button" class="quiet small" onClick={() => onShow({ kind: 'role', person })}>
        Change role{of}
      </button>
      <button type="button" class="quiet small danger" onClick={() => onShow({ kind: 'remove', person })}>
        Remove{of}
      </button>
    </>
  )
}

async function unlink({ id, email }: ListedPerson): Promise<void> {
  await send('DELETE', `/data/people/${id}/single-sign-on`)
  await changed('/data/people')
  toast(`${email} no longer signs in by single sign-on.`)
}

async function remove({ id, email }: ListedPerson): Promise<void> {
  await send('DELETE', `/data/people/${id}`)
  await changed('/data/people')
  toast(`${email} no longer has a role here.`)
}
