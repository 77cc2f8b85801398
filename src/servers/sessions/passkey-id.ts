// How browsers write the id of a passkey, which is looked up before anything is proven by it.

/** base64url of 1,023 octets at most (WebAuthn, section 4, credential ID), and of some more, which are told what is wrong. */
export const PASSKEY_ID = /^[A-Za-z0-9_-]{1,1500}$/
