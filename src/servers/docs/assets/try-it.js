// Runs the form of a page of the reference, in the browser: calls the service and shows what it answers. The key is kept
// for the pages of this tab, until it is closed.

const KEPT_KEY = 'key'
/** An answer may be as long as a mail. */
const MOST_SHOWN_CHARACTERS = 100_000

const form = document.querySelector('#try')
const answer = document.querySelector('#answer')
const field = (name) => form.elements.namedItem(name)

field('key').value = sessionStorage.getItem(KEPT_KEY) ?? (await givenKey()) ?? ''
field('key').addEventListener('change', takeMailbox)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void send()
})
renewIdempotencyKey()
form.hidden = false
await takeMailbox()

/** Of a service that gives one to whoever sits at its machine. */
async function givenKey() {
  if (!form.dataset.key) return undefined
  const { key } = await (await fetch(form.dataset.key)).json()
  return key
}

/** The first mailbox of whoever has the key, in place of that of the example. */
async function takeMailbox() {
  const body = field('body')
  const key = field('key').value.trim()
  if (!body || !key || !/"(?:fromM|m)ailboxId"/.test(body.value)) return
  const response = await fetch('/v1/mailboxes', { headers: { authorization: `Bearer ${key}` } })
  if (response.status === 403) {
    answer.textContent = 'This key may not list mailboxes: put the id of yours into the body.'
    return
  }
  if (!response.ok) return show(response, await response.text())
  const [mailbox] = (await response.json()).items
  if (!mailbox) return
  body.value = body.value.replace(/("(?:fromM|m)ailboxId": *")[^"]*/, `$1${mailbox.id}`)
  answer.replaceChildren()
}

async function send() {
  const { method, path } = form.dataset
  const key = field('key').value.trim()
  sessionStorage.setItem(KEPT_KEY, key)
  const headers = { authorization: `Bearer ${key}` }
  const query = new URLSearchParams()
  let address = path
  for (const { name, value } of form.elements) {
    const [place, parameter] = name.split(':')
    const given = value.trim()
    if (place === 'path') address = address.replace(`{${parameter}}`, encodeURIComponent(given))
    else if (place === 'query' && given) query.set(parameter, given)
    else if (place === 'header') headers[parameter] = given
  }
  const body = field('body')?.value
  if (body !== undefined) headers['content-type'] = 'application/json'
  const button = form.querySelector('button')
  button.disabled = true
  try {
    const response = await fetch(query.size > 0 ? `${address}?${query}` : address, { method, headers, body })
    show(response, await response.text())
    if (response.ok) renewIdempotencyKey()
  } catch (error) {
    answer.textContent = `No answer: ${error.message}`
  } finally {
    button.disabled = false
  }
}

/** Another request, another key: with the same one it would be answered with what came of the first. */
function renewIdempotencyKey() {
  const input = field('header:Idempotency-Key')
  if (input)
    input.value = `try-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('')}`
}

function show({ status, statusText }, text) {
  if (status === 401) sessionStorage.removeItem(KEPT_KEY)
  const heading = document.createElement('p')
  heading.textContent = `${status} ${statusText}`
  const shown = document.createElement('pre')
  shown.tabIndex = 0
  shown.textContent = readable(text)
  answer.replaceChildren(heading, ...(text ? [shown] : []))
}

function readable(text) {
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // A mail, or what something in between has said.
  }
  return shown.length > MOST_SHOWN_CHARACTERS ? `${shown.slice(0, MOST_SHOWN_CHARACTERS)} …` : shown
}
