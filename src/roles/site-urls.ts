// Where console and webmail are, as their users know them.
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
