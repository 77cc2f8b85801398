// Three modules of the package by themselves: the whole of it brings a second fetch, and makes Node.js load its own, which
// takes 15 MB and a tenth of a second.
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici'
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici'
}
