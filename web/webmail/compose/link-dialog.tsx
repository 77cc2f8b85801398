// Asks where a link is to lead.
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Submit } from '../../ui/form.tsx'
import { safeTarget } from '../../ui/mail/link-target.ts'
import { looksLikeAddress } from './mail-addresses.ts'

interface Props {
  /** Undefined: there is none yet. */
  href: string | undefined
  onLink(href: string): void
  onRemove(): void
  onClose(): void
}

export function LinkDialog({ href, onLink, onRemove, onClose }: Props) {
  const submit = async ({ href: typed = '' }: Record<string, string>) => {
    const target = linkOf(typed.trim())
    if (target === undefined) throw new Error('This is no address of a page. One looks like https://example.com/page.')
    onClose()
    onLink(target)
  }
  return (
    <Dialog title="Link" onClose={onClose}>
      <Form onSubmit={submit}>
        <Field label="Address" name="href" type="url" inputMode="url" autoComplete="off" defaultValue={href} required />
        <div class="actions end">
          {href !== undefined && (
            <button
              type="button"
              onClick={() => {
                onClose()
                onRemove()
              }}
            >
              Remove link
            </button>
          )}
          <Submit>{href === undefined ? 'Add link' : 'Change link'}</Submit>
        </div>
      </Form>
    </Dialog>
  )
}

function linkOf(typed: string): string | undefined {
  if (looksLikeAddress(typed)) return `mailto:${typed}`
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[\w.-]+:\d/.test(typed)
  const target = safeTarget(isWhole ? typed : `https://${typed}`)
  return typed === '' ? undefined : target?.href
}
