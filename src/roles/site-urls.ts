// Where console, webmail and API are, as their users know them.
import type { Config } from '../config.ts'
import { localOrigin } from './local-origin.ts'

export interface SiteUrls {
  console: string
  webmail: string
}

/** Of a site that may run in another process: on this machine unless its configuration says where. */
export function siteOrigin(place: Config['console']): string {
  return place.publicUrl === undefined ? localOrigin(place, place.port) : new URL(place.publicUrl).origin
}

/** Under which the API's paths lie. `listensAt`: known where the API runs in this process, whatever port it was given. */
export function apiUrlOf(place: Config['http'], listensAt = localOrigin(place, place.port)): string {
  return (place.publicUrl ?? listensAt).replace(/\/+$/, '')
}
