// Passkeys on the pages that work without script: shows the forms that need one, where the browser knows passkeys, and sends
// what the passkey answers. Also keeps a form from being sent twice by two clicks.
const CEREMONIES = {
  get: {
    read: (options) => PublicKeyCredential.parseRequestOptionsFromJSON(options),
    ask: (publicKey) => navigator.credentials.get({ publicKey }),
  },
  create: {
    read: (options) => PublicKeyCredential.parseCreationOptionsFromJSON(options),
    ask: (publicKey) => navigator.credentials.create({ publicKey }),
  },
}
const FAULT = 'The passkey was not used. Try again, or go on without it.'

for (const form of document.forms) {
  let isUnderWay = false
  form.addEventListener('submit', (event) => {
    if (isUnderWay || form.dataset.passkey) event.preventDefault()
    if (isUnderWay) return
    isUnderWay = true
    if (form.dataset.passkey) void answer(form).then((isAnswered) => (isUnderWay = isAnswered))
  })
  // Back from the page that it led to.
  addEventListener('pageshow', () => (isUnderWay = false))
}

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const form of document.querySelectorAll('form[data-passkey]')) form.hidden = false
}

/** Asks the passkey, and sends what it says. Gives whether there was anything to send. */
async function answer(form) {
  const { read, ask } = CEREMONIES[form.dataset.ceremony]
  form.querySelector('[role=alert]')?.remove()
  try {
    const response = await fetch(form.dataset.passkey)
    if (!response.ok) throw new Error(`the service answers ${response.status}`)
    const credential = await ask(read(await response.json()))
    form.elements.passkey.value = JSON.stringify(credential)
    form.submit()
    return true
  } catch {
    const fault = document.createElement('p')
    fault.className = 'fault'
    fault.setAttribute('role', 'alert')
    fault.textContent = FAULT
    form.append(fault)
    return false
  }
}
