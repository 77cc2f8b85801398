// Who a request comes from, as a proxy may write it (X-Forwarded-For has no standard). Pure.

/** An address without the port that some proxies write after it: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
export function withoutPort(text: string): string {
  return (
    /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i.exec(text)?.[1] ?? /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text)?.[1] ?? text
  )
}
