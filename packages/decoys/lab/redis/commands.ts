// The commands that attacks, scanners and common clients send, and who sends each. Fresh probes draw these alone. Facts come
// from the tools' sources, from their traffic (`MONITOR`), and from what was published of the attacks.
import { byWord } from '@rookery/kernel/by-word.ts'

export interface Source {
  readonly kind: 'attack' | 'scanner' | 'client'
  /** The attack or the tool, with the module or script where it has several. */
  readonly name: string
}

const attack = (name: string): Source => ({ kind: 'attack', name })
const scanner = (name: string): Source => ({ kind: 'scanner', name })
const client = (name: string): Source => ({ kind: 'client', name })

const sources = byWord<Source>({
  files: attack(
    'crontabs, SSH keys and web shells written as the dump file: worms such as Kinsing (H2Miner), Metasploit redis/file_upload, Gopherus',
  ),
  rogue: attack(
    'a module from a master of the intruder: redis-rogue-server, Metasploit redis_replication_cmd_exec, P2PInfect',
  ),
  sandbox: attack('scripts that leave the sandbox: CVE-2022-0543 by Muhstik, Redigo and P2PInfect'),
  migo: attack('Migo, which switches protection off before it stores its loader'),
  wipe: attack('data deleted, and a note or a key of SSH left in its place'),
  lockout: attack('a password set so that the next intruder stays out'),
  loot: attack(
    'keys copied: Metasploit gather/redis_extractor, redis-cli --rdb and --replica, a replica elsewhere',
  ),
  nmap: scanner('nmap: its service probe, redis-info and redis-brute'),
  zgrab2: scanner('zgrab2 redis'),
  metasploit: scanner('Metasploit scanner/redis: redis_server, redis_login, redis_lua_uaf_cve_2025_49844'),
  hydra: scanner('hydra'),
  'redis-cli': client('redis-cli at its prompt, --stat, --bigkeys, --memkeys, --hotkeys, --cluster import'),
  'redis-benchmark': client('redis-benchmark'),
  libraries: client(
    'redis-py, jedis, lettuce, ioredis, node-redis, go-redis, redis-rb: handshake, pipelines, scripts',
  ),
  'stack-exchange': client('StackExchange.Redis: handshake'),
  exporter: client('redis_exporter of Prometheus'),
  insight: client('RedisInsight'),
  sentinel: client('Redis Sentinel'),
  copiers: client('redis-shake and RIOT, by scan'),
  caches: client('caches of Django and Rails'),
  sessions: client('sessions of Spring and PHP'),
  celery: client('Celery (kombu)'),
  sidekiq: client('Sidekiq'),
  rq: client('RQ and Resque'),
  bull: client('Bull and BullMQ'),
  redisson: client('Redisson: locks, Bloom filters'),
})

/** Each command, and which of the sources send it; those of the same senders stand in one line. */
const senders: readonly (readonly [commands: string, from: string])[] = [
  ['config|set', 'files rogue migo lockout sessions insight'],
  ['config|get', 'files nmap redis-benchmark stack-exchange exporter insight sessions'],
  ['config|rewrite', 'sentinel'],
  ['save', 'files'],
  ['bgsave', 'files'],
  ['flushall', 'files wipe'],
  ['flushdb', 'wipe caches'],
  ['slaveof', 'rogue sentinel'],
  ['replicaof', 'rogue'],
  ['module|load', 'rogue'],
  ['module|unload', 'rogue'],
  ['module|list', 'insight'],
  ['eval', 'sandbox metasploit redisson'],
  ['evalsha script|load', 'libraries sidekiq bull'],
  ['script|exists', 'libraries'],
  ['sync psync replconf', 'loot'],
  ['auth', 'nmap hydra metasploit libraries'],
  ['info', 'nmap zgrab2 metasploit redis-cli exporter insight celery bull'],
  ['ping', 'zgrab2 hydra redis-cli libraries'],
  ['quit', 'zgrab2 files'],
  ['client|list', 'nmap exporter bull'],
  ['client|setname', 'libraries stack-exchange exporter bull'],
  ['client|id', 'stack-exchange'],
  ['client|kill', 'sentinel'],
  ['cluster|nodes', 'nmap stack-exchange'],
  ['cluster|info', 'exporter'],
  ['pubsub|channels', 'nmap'],
  ['hello', 'redis-cli libraries'],
  ['command command|docs', 'redis-cli'],
  ['select', 'loot redis-cli libraries exporter'],
  ['echo', 'stack-exchange'],
  ['role', 'libraries sentinel'],
  ['monitor', 'insight'],
  ['slowlog|get slowlog|len', 'exporter insight'],
  ['latency|latest latency|histogram', 'exporter'],
  ['memory|usage', 'redis-cli insight'],
  ['object|freq', 'redis-cli'],
  ['dbsize', 'redis-cli insight'],
  ['keys', 'wipe loot'],
  ['scan', 'loot redis-cli exporter insight caches'],
  ['type', 'loot redis-cli exporter insight'],
  ['ttl pttl', 'insight caches copiers'],
  ['exists', 'insight caches sessions'],
  ['expire', 'insight caches sessions sidekiq rq'],
  ['pexpire', 'redisson'],
  ['persist', 'insight caches'],
  ['rename renamenx', 'insight sessions'],
  ['dump restore', 'copiers'],
  ['migrate', 'redis-cli'],
  ['set', 'files wipe redis-benchmark insight caches sidekiq redisson'],
  ['get', 'loot redis-benchmark stack-exchange exporter insight caches sessions celery'],
  ['del', 'files wipe insight caches sessions'],
  ['unlink', 'caches sidekiq'],
  ['mget', 'caches celery sidekiq'],
  ['mset', 'redis-benchmark caches'],
  ['setex', 'celery sessions'],
  ['setnx', 'rq'],
  ['append', 'sessions'],
  ['strlen', 'redis-cli exporter insight'],
  ['incr', 'redis-benchmark'],
  ['incrby decrby', 'caches sidekiq'],
  ['setbit getbit bitcount', 'redisson'],
  ['bitfield bitfield_ro', 'sidekiq'],
  ['pfcount', 'exporter'],
  ['hset', 'redis-benchmark insight celery sidekiq rq'],
  ['hget', 'insight celery'],
  ['hgetall', 'loot sessions rq bull'],
  ['hmget', 'sidekiq bull'],
  ['hmset', 'sessions'],
  ['hdel', 'insight celery'],
  ['hlen', 'redis-cli exporter insight'],
  ['hscan', 'insight'],
  ['hincrby', 'sidekiq'],
  ['lpush', 'redis-benchmark insight celery sidekiq'],
  ['rpush', 'redis-benchmark insight celery rq'],
  ['lpushx rpushx lset lindex', 'insight'],
  ['lpop rpop', 'redis-benchmark insight rq'],
  ['lrange', 'loot redis-benchmark insight sidekiq rq bull'],
  ['llen', 'redis-cli exporter insight celery sidekiq bull'],
  ['lrem', 'insight sidekiq rq'],
  ['brpop', 'celery sidekiq'],
  ['blpop', 'rq'],
  ['brpoplpush', 'bull'],
  ['sadd', 'redis-benchmark insight celery sidekiq rq sessions'],
  ['srem', 'insight celery sidekiq sessions'],
  ['smembers', 'loot celery sidekiq rq sessions'],
  ['scard', 'redis-cli exporter insight sidekiq'],
  ['sismember sscan', 'insight'],
  ['spop', 'redis-benchmark'],
  ['zadd', 'redis-benchmark insight celery sidekiq rq'],
  ['zrem', 'insight celery sidekiq'],
  ['zcard', 'redis-cli exporter insight sidekiq bull'],
  ['zscore', 'insight'],
  ['zrange', 'loot insight sidekiq bull'],
  ['zrevrange', 'insight bull'],
  ['zrangebyscore', 'sidekiq rq'],
  ['zrevrangebyscore', 'celery'],
  ['zremrangebyscore zremrangebyrank', 'sidekiq rq'],
  ['zscan', 'insight sidekiq'],
  ['zpopmin', 'redis-benchmark'],
  ['bzpopmin', 'bull'],
  ['xadd xtrim xread', 'bull'],
  ['xlen', 'redis-cli exporter insight'],
  ['xrange xrevrange xdel', 'insight'],
  ['xinfo|stream', 'exporter insight'],
  ['xinfo|groups xinfo|consumers', 'exporter'],
  ['multi exec', 'libraries sentinel celery sidekiq'],
  ['discard watch unwatch', 'libraries'],
  ['publish', 'sentinel celery sessions'],
  ['subscribe unsubscribe psubscribe punsubscribe', 'libraries stack-exchange celery sessions'],
]

const sourceOf = (word: string): Source => {
  const found = sources[word]
  if (!found) throw new Error(`"${word}" is no source; there are ${Object.keys(sources).join(', ')}.`)
  return found
}

/** By the name in the command table: `get`, `config|set`. */
export const metCommands: ReadonlyMap<string, readonly Source[]> = new Map(
  senders.flatMap(([commands, from]) =>
    commands.split(' ').map((name) => [name, from.split(' ').map(sourceOf)] as const),
  ),
)

/** What they send although Redis 7.0 has no such command or subcommand. */
export const metUnknown: ReadonlyMap<string, readonly Source[]> = new Map([
  ['system.exec', [sourceOf('rogue')]],
  ['NONEXISTENT', [sourceOf('zgrab2')]],
  ['CLIENT SETINFO', [sourceOf('libraries'), sourceOf('stack-exchange')]],
])
