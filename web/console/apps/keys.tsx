// The keys of an application: those that are good, and behind a line those that are not any more.
import { useState } from 'preact/hooks'
import type { ConsoleKey, MadeKey, ShownApp } from '../../../src/servers/console/app-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { isOwner } from '../place.ts'
import { calledOf, isUsable, stateOf } from './key-state.ts'
import { KeysTable } from './keys-table.tsx'
import { MadeKeyDialog } from './made-key-dialog.tsx'

/** More are not shown. */
const MOST_ENDED = 50

type Asked = { kind: 'revoke' | 'replace'; key: ConsoleKey } | { kind: 'made'; key: ConsoleKey; made: MadeKey }

export function Keys({ keys, ...app }: ShownApp) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const now = Date.now()
  const good = keys.filter((key) => isUsable(stateOf(key, now)))
  const ended = keys.filter((key) => !isUsable(stateOf(key, now)))
  return (
    <section class="stack" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      {good.length > 0 ? (
        <KeysTable keys={good} all={keys} onAsk={(kind, key) => setAsked({ kind, key })} />
      ) : (
        <EmptyState title="No active keys">
          {isOwner()
            ? 'Create a key for the program that this application stands for, with the scopes that it needs.'
            : 'An Owner creates keys.'}
        </EmptyState>
      )}
      {ended.length > 0 && (
        <details class="stack">
          <summary>
            {ended.length >= MOST_ENDED
              ? `The newest ${MOST_ENDED} revoked or expired keys`
              : ended.length === 1
                ? '1 revoked or expired key'
                : `${ended.length} revoked or expired keys`}
          </summary>
          <KeysTable keys={ended} all={keys} />
        </details>
      )}
      {asked?.kind === 'revoke' && <AskRevoke of={asked.key} onClose={close} />}
      {asked?.kind === 'replace' && (
        <AskReplace
          of={asked.key}
          onMade={(made) => setAsked({ kind: 'made', key: asked.key, made })}
          onClose={close}
        />
      )}
      {asked?.kind === 'made' && <MadeKeyDialog {...app} made={asked.made} scopes={asked.key.scopes} onClose={close} />}
    </section>
  )
}

function AskRevoke({ of, onClose }: { of: ConsoleKey; onClose(): void }) {
  async function revoke(): Promise<void> {
    await send('DELETE', `/data/keys/${of.id}`)
    await changed('/data/apps')
    toast(`${calledOf(of)} is revoked.`)
  }
  return (
    <Ask title={`Revoke ${calledOf(of)}?`} verb="Revoke" onYes={revoke} onClose={onClose}>
      Whoever uses it is refused within a second, for good.{' '}
      {of.lastUsedAt ? (
        <>
          It was last used <Time at={of.lastUsedAt} />.
        </>
      ) : (
        'It was never used.'
      )}
    </Ask>
  )
}

function AskReplace({ of, onMade, onClose }: { of: ConsoleKey; onMade(made: MadeKey): void; onClose(): void }) {
  return (
    <Dialog title={`Replace ${calledOf(of)}?`} onClose={onClose}>
      <Form
        onSubmit={async () => {
          const made = await send<MadeKey>('POST', `/data/keys/${of.id}/replace`)
          onMade(made)
          await changed('/data/apps')
        }}
      >
        <p>
          You get a new key of the same name, scopes and lifetime. This one stays good beside it, until you revoke it:
          have its users change over first. The list says when each was last used.
        </p>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <Submit>Replace</Submit>
        </div>
      </Form>
    </Dialog>
  )
}
