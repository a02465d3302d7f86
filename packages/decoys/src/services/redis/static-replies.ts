// Replies of commands that are not implemented: as for a missing key. Those that would add data reply that memory is full.
import type { Protocol } from './resp.ts'

const ZERO = ':0\r\n'
const EMPTY = '*0\r\n'
const NIL = '$-1\r\n'
const CLUSTER = '-ERR This instance has cluster support disabled\r\n'

const replies: Readonly<Record<string, string>> = {
  readonly: CLUSTER,
  readwrite: CLUSTER,
  asking: CLUSTER,
  cluster: CLUSTER,
  migrate: '+NOKEY\r\n',
  restore: '-ERR DUMP payload version or checksum are wrong\r\n',
  dump: NIL,
  watch: '+OK\r\n',
  unwatch: '+OK\r\n',
  'xinfo|stream': '-ERR no such key\r\n',
  'latency|doctor': `$288\r\nI'm sorry, Dave, I can't do that. Latency monitoring is disabled in this Redis instance. You may use "CONFIG SET latency-monitor-threshold <milliseconds>." in order to enable it. If we weren't in a deep space mission I'd suggest to take a look at https://redis.io/topics/latency-monitor.\n\r\n`,
  'memory|doctor': `$268\r\nHi Sam, this instance is empty or is using very little memory, my issues detector can't be used in these conditions. Please, leave for your mission on Earth and fill it with some data. The new Sam and I will be back to our programming as soon as I finished rebooting.\n\r\n`,
  'latency|graph': "-ERR No samples available for event '%2'\r\n",
  'latency|reset': ZERO,
  'memory|purge': '+OK\r\n',
  'function|flush': '+OK\r\n',
  'pubsub|numpat': ZERO,
  georadius: EMPTY,
  georadiusbymember: EMPTY,
  geopos: '*1\r\n*-1\r\n',
  geohash: '*1\r\n$-1\r\n',
  expiretime: ':-2\r\n',
  pexpiretime: ':-2\r\n',
}

const NIL_REPLIES = /^(zrevrank|zrandmember|geodist)$/
const ZERO_REPLIES =
  /^(xlen|xdel|xtrim|xack|getbit|bitcount|bitop|pfcount|sintercard|zintercard|zlexcount|zremrangeby.*|z(union|inter|diff|range)store|sort)$/

/** `undefined`: only the reply that memory is full fits. */
export function staticReply(
  name: string,
  args: readonly string[],
  resp: Protocol,
  mayGrow: boolean,
): string | undefined {
  const parent = name.split('|')[0]!
  const known = replies[name] ?? replies[parent]
  const nilOf = (text: string): string => (resp === 3 && /^[*$]-1\r\n$/.test(text) ? '_\r\n' : text)
  if (known !== undefined) {
    return nilOf(known.replace(/%(\d)/g, (_, n: string) => (args[Number(n)] ?? '').replace(/[\r\n]/g, ' ')))
  }
  if (NIL_REPLIES.test(name)) return nilOf(NIL)
  if (ZERO_REPLIES.test(name) && name !== 'sort') return ZERO
  return mayGrow && !/^(bitfield|sort)/.test(name) ? undefined : EMPTY
}
