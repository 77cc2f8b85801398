// How the contract writes the path of a route.

/** `/v1/messages/:messageId` as `/v1/messages/{messageId}`. */
export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}
