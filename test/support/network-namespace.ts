// A network in which addresses that count as public lead to this machine, so that what guards against all others can be
// live while a request arrives. Linux; as root, or where ordinary users may make namespaces of their own.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

export const PUBLIC_IPV4 = '93.184.215.14'
export const PUBLIC_IPV6 = '2606:2800:21f:cb07::5'

/** An ordinary user is root within. */
const UNSHARE = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--net', '--mount']

/**
 * Makes the network: two addresses that count as public lead to this machine, the hosts file is the first argument's, and
 * whatever is sent elsewhere vanishes without an answer. Then becomes the command that the further arguments are.
 */
const NETWORK = `
set -e
ip link set lo up
ip addr add ${PUBLIC_IPV4}/32 dev lo
ip -6 addr add ${PUBLIC_IPV6}/128 dev lo nodad
ip link add out type veth peer name away
ip link set out up
ip link set away up
ip neigh add 10.9.9.9 lladdr 02:00:00:00:00:01 dev out nud permanent
ip route add 10.9.9.9 dev out
ip route add default via 10.9.9.9
mount --bind "$1" /etc/hosts
shift
exec "$@"`

/** Why there can be none here, or false when there can. */
export function whyNoNamespace(): string | false {
  if (process.platform !== 'linux') return 'needs Linux to make a network namespace'
  if (spawnSync('ip', ['-V']).status !== 0) return 'needs the package iproute2'
  const [command, ...words] = UNSHARE as [string, ...string[]]
  if (spawnSync(command, [...words, 'true']).status !== 0) return 'needs the right to make a network namespace'
  return false
}

/** Runs a program of Node.js there. Gives what it printed. @throws Error with its output when it fails */
export async function runInNamespace(
  args: readonly string[],
  { hosts, env }: { hosts: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const [command, ...words] = UNSHARE as [string, ...string[]]
  const within = ['sh', '-c', NETWORK, 'namespace', hosts, process.execPath, ...args]
  const { stdout } = await promisify(execFile)(command, [...words, ...within], { env })
  return stdout
}
