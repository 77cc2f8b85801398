// The data of an event as it goes out. The log keeps what is not known of the event anyway. Pure.
import type { Uuid } from '../lib/uuid.ts'

/** The resource's type and id in front of the JSON that the log keeps; a UUID and our own types need no escapes. */
export function eventDataText(resourceType: string, resourceId: Uuid, kept: string): string {
  const rest = kept.slice(1)
  return `{"object":"${resourceType}","id":"${resourceId}"${rest === '}' ? '' : ','}${rest}`
}
