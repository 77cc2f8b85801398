// Structured logs: one JSON object a line on standard output. Whatever looks like one of our secrets is struck out,
// wherever it stands.
import pino, { type DestinationStream, type Logger } from 'pino'

/**
 * API keys, webhook secrets and bearer tokens, as they may stand in any text. Nothing looks back: a line may hold a
 * megabyte of a stranger's white space.
 */
const SECRETS = /mdk_(?:live|test)_[0-9A-Za-z]{8,}|whsec_[0-9A-Za-z+/=_-]{8,}|(bearer\s+)[^\s"]+/gi
const STRUCK_OUT = '[secret]'

/** The text without anything that is a secret of ours. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRETS, (_, bearer = '') => bearer + STRUCK_OUT)
}

/** A logger of this level and above. Lines go to standard output unless another destination is given. */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      redact: {
        paths: ['authorization', '*.authorization', 'headers', '*.headers', 'cookie', '*.cookie'],
        censor: STRUCK_OUT,
      },
    },
    { write: (line: string) => void destination.write(withoutSecrets(line)) },
  )
}

/**
 * An error's words, stack and code, and those of its causes, without the objects that libraries hang onto errors: the
 * connection that was lost, with all that it holds, takes more than a pipe writes at once.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { aggregateErrors, ...members } = pino.stdSerializers.err(error)
  const plain = Object.entries(members).filter(([, value]) => value === null || typeof value !== 'object')
  return {
    ...Object.fromEntries(plain),
    ...(error instanceof AggregateError && { errors: error.errors.map(describeError) }),
  }
}
