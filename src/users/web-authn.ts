// The library that makes and checks what browsers are asked for with passkeys. It takes 0.2 s of CPU time and over 10 MB to
// load, and so is loaded when somebody first uses a passkey.

/** @throws only when it is not installed */
export function loadWebAuthn(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server')
}
