/** A route's path as the contract writes it: `/v1/messages/{messageId}`. */
export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}
