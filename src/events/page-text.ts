// A page of the feed as it goes out. Put together from the text that the log keeps: reading each event only to write it
// again would cost more than all else that a page takes.
import type { LoggedEvent } from './feed.ts'

/** The JSON of an EventPage. */
export function pageText(items: readonly LoggedEvent[], nextCursor: string | null): string {
  return `{"items":[${items.map(eventText).join()}],"nextCursor":${JSON.stringify(nextCursor)}}`
}

/** Ids and instants are written by the database and hold nothing that JSON would escape. */
function eventText({ id, type, resourceType, resourceId, data, occurredAt }: LoggedEvent): string {
  const what = `"type":${JSON.stringify(type)},"resourceType":${JSON.stringify(resourceType)}`
  return `{"id":"${id}",${what},"resourceId":"${resourceId}","data":${data},"occurredAt":"${occurredAt}"}`
}
