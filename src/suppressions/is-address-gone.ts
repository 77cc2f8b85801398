// Whether an answer says that there is no use in writing to an address ever again. Pure. specification.md#stopped-addresses

/**
 * RFC 3463 and RFC 7505, 5.1.10: no such mailbox, no such host, no such form of address, moved away, a domain that takes no
 * mail; a mailbox that is switched off; a domain that nothing leads to. What is said of the sender, of the message, of its
 * size or of somebody's policy says nothing of the address.
 */
const OF_THE_ADDRESS: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1', '5.4.4'])

/** Takes the enhanced status code of a permanent failure. */
export function isAddressGone(enhancedCode: string | null): boolean {
  return enhancedCode !== null && OF_THE_ADDRESS.has(enhancedCode)
}
