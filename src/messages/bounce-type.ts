// What a bounce means for the next message to that address. Pure. specification.md#type-of-a-bounce

export const BOUNCE_TYPES = ['permanent', 'transient', 'undetermined'] as const
export type BounceType = (typeof BOUNCE_TYPES)[number]

/** RFC 3463: subjects and details that time may heal although the refusal was final. */
const MAY_PASS = /^5\.(2\.2|3\.1|4\.5)$/

/** Takes the enhanced status code of a bounce. */
export function bounceType(enhancedCode: string | null): BounceType {
  if (enhancedCode === null || !enhancedCode.startsWith('5.') || enhancedCode === '5.0.0') return 'undetermined'
  return MAY_PASS.test(enhancedCode) ? 'transient' : 'permanent'
}
