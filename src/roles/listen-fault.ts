// Says in the operator's words why a listener did not start. Knows nothing of what listens.
import { ConfigError } from '../config.ts'

interface Place {
  host: string
  port: number
}

/**
 * For `.catch` of what listens at `place`, which the variables `<prefix>_HOST` and `<prefix>_PORT` name: throws a
 * ConfigError that names the one to change, or the error itself when it is another's fault.
 */
export function explainListenFault(
  prefix: 'MDK' | 'MDK_CONSOLE' | 'MDK_WEBMAIL' | 'MDK_OPS' | 'MDK_SMTP',
  place: Place,
): (error: Error) => never {
  return (error) => {
    const fault = faultOf((error as NodeJS.ErrnoException).code, place)
    throw fault ? new ConfigError([`${prefix}_${fault}`]) : error
  }
}

function faultOf(code: string | undefined, { host, port }: Place): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: port ${port} of ${host} is taken; stop what has it, or name another`
    case 'EACCES':
      return `PORT: this user may not listen on port ${port}`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} is no address of this machine`
    default:
      return undefined
  }
}
