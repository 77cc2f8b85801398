// The parts that forms are made of. Forms are looked at here and not by the browser: every fault is told in one way.
import { type Html, html } from './html.ts'

interface Field {
  name: string
  label: string
  type?: 'text' | 'password'
  /** By which password managers know it. */
  autocomplete: 'username' | 'current-password' | 'new-password' | 'one-time-code'
  value?: string
  hint?: string
  /** What is wrong with it. */
  fault?: string | undefined
  /** Where typing begins. */
  focused?: boolean
  readonly?: boolean
}

export function field({
  name,
  label,
  type = 'text',
  autocomplete,
  value = '',
  hint,
  fault,
  focused,
  readonly,
}: Field): Html {
  const describedBy = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(Boolean)
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${
    value !== '' && html` value="${value}"`
  }${describedBy.length > 0 && html` aria-describedby="${describedBy.join(' ')}"`}${fault !== undefined && html` aria-invalid="true"`}${
    focused && html` autofocus`
  }${readonly ? html` readonly` : html` required`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault !== undefined && html`<p class="fault" id="${name}-fault" role="alert">${fault}</p>`}
</div>`
}

export function button(name: string, kind = 'primary'): Html {
  return html`<button type="submit" class="${kind} wide">${name}</button>`
}

/** `hidden`: fields that nobody sees. */
export function form(action: string, content: Html, hidden: Record<string, string> = {}): Html {
  return html`<form class="stack" method="post" action="${action}" novalidate>
${hiddenFields(hidden)}${content}
</form>`
}

/**
 * Shown by the script, where the browser knows passkeys: asks for what `options` says, and sends what the passkey
 * answers as the field `passkey`.
 */
export function passkeyForm(
  action: string,
  name: string,
  {
    options,
    ceremony,
    kind = '',
    hidden = {},
  }: { options: string; ceremony: 'get' | 'create'; kind?: string; hidden?: Record<string, string> },
): Html {
  return html`<form class="stack tight" method="post" action="${action}" data-passkey="${options}" data-ceremony="${ceremony}" hidden>
${hiddenFields({ ...hidden, passkey: '' })}${button(name, kind)}
</form>`
}

function hiddenFields(fields: Record<string, string>): Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
}

/** What is wrong, where no field is at fault. */
export function alert(words: string): Html {
  return html`<p class="alert bad" role="alert" tabindex="-1" autofocus>${words}</p>`
}

export function waitWords(seconds: number): string {
  return `Too many wrong attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}
