// Which page of the console a notice leads to. Pure.
import type { Notice } from '../../notices/notice.ts'

/** Undefined for a link that was made for its reader. */
export function pageOfNotice(notice: Notice): string | undefined {
  switch (notice.kind) {
    case 'endpoint_failing':
    case 'endpoint_disabled':
      return `/webhooks/${notice.facts.endpointId}`
    case 'domain_failing':
      return '/domains'
    case 'new_sign_in':
    case 'plan_80':
    case 'plan_100':
      return '/settings'
    default:
      return undefined
  }
}
