// Where console, webmail and API are, as their users know them.
import type { Config } from '../config.ts'
import { localOrigin } from './local-origin.ts'

export interface SiteUrls {
  console: string
  webmail: string
}

/** Of a site that may run in another process: on this machine unless its configuration says where. */
export function siteOrigin({ publicUrl, host, port }: Config['console']): string {
  return publicUrl === undefined ? localOrigin(host, port) : new URL(publicUrl).origin
}

/** Under which the API's paths lie. `listensAt`: known where the API runs in this process, whatever port it was given. */
export function apiUrlOf({ publicUrl, host, port }: Config['http'], listensAt = localOrigin(host, port)): string {
  return (publicUrl ?? listensAt).replace(/\/+$/, '')
}
