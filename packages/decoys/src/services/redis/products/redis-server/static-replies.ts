// Replies of commands that answer the same on an empty server without a cluster. Those that would add data say that memory is full.
import { cString } from './arguments.ts'
import { nil, type Protocol } from '../../protocol/resp.ts'

const ZERO = ':0\r\n'
const CLUSTER = '-ERR This instance has cluster support disabled\r\n'

const replies: Readonly<Record<string, string>> = {
  readonly: CLUSTER,
  readwrite: CLUSTER,
  asking: CLUSTER,
  cluster: CLUSTER,
  bgrewriteaof: '+Background append only file rewriting started\r\n',
  pfselftest: '+OK\r\n',
  'memory|doctor': `$268\r\nHi Sam, this instance is empty or is using very little memory, my issues detector can't be used in these conditions. Please, leave for your mission on Earth and fill it with some data. The new Sam and I will be back to our programming as soon as I finished rebooting.\n\r\n`,
  'latency|latest': '*0\r\n',
  'latency|graph': "-ERR No samples available for event '%2'\r\n",
  'latency|reset': ZERO,
  'memory|purge': '+OK\r\n',
}

const find = (name: string): string | undefined => replies[name] ?? replies[name.split('|')[0]!]

export const hasStaticReply = (name: string): boolean => find(name) !== undefined

/** `undefined`: only the reply that memory is full fits. */
export function staticReply(
  name: string,
  args: readonly string[],
  resp: Protocol,
  mayGrow: boolean,
): string | undefined {
  const known = find(name)
  if (known === undefined) return mayGrow ? undefined : '*0\r\n'
  if (known === '$-1\r\n') return nil(resp)
  return known.replace(/%(\d)/g, (_, n: string) => cString(args[Number(n)] ?? '').replace(/[\r\n]/g, ' '))
}
