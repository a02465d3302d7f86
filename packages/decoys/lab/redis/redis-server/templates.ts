// The commands that fresh probes are drawn from, all of them met (commands.ts), and the words that fill them.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { Draw } from '../../../test/draw.ts'
import { payloads } from './payloads.data.ts'

/**
 * A small letter alone stands for a drawn word: `k` a key, `v` a value, `i` an integer, `f` a float, `m` a member, `p` a
 * pattern, `r` a score limit, `b` 0 or 1, `y` a payload of DUMP.
 */
export const templates: readonly string[] = `
SET k v|SET k v EX 100|SET k i|SET k v NX|SET k v XX GET|SET k v NX PX 100000|GET k|STRLEN k|APPEND k v|INCR k|INCRBY k i|DECRBY k i|MSET k v k v|MGET k k|SETNX k v|SETEX k 100 v|PFCOUNT k
SETBIT k i b|SETBIT k 7 1|GETBIT k i|BITCOUNT k|BITFIELD k OVERFLOW SAT INCRBY u16 #3 1|BITFIELD k SET u8 0 i|BITFIELD k INCRBY u4 0 i|BITFIELD_RO k GET u16 #0 GET i8 0
DEL k|DEL k k|UNLINK k|EXISTS k k|TYPE k|RENAME k k|RENAMENX k k|EXPIRE k i|EXPIRE k 100 NX|PEXPIRE k 100000|PERSIST k|TTL k|PTTL nope|DBSIZE|KEYS k|SCAN 0 MATCH k|SCAN 0 MATCH k COUNT 100|MEMORY USAGE nope|OBJECT FREQ k|DUMP k|DUMP k|DUMP nope|RESTORE k i v|RESTORE k 0 v REPLACE|RESTORE k 0 y|RESTORE k 0 y REPLACE|RESTORE k i y REPLACE ABSTTL|MIGRATE 127.0.0.1 1 nope 0 100
HSET k m v|HSET k m v m v|HGET k m|HGETALL k|HDEL k m|HLEN k|HINCRBY k m i|HMSET k m v|HMGET k m m|HSCAN k 0|HSCAN k 0 MATCH p COUNT 100
LPUSH k v|LPUSH k v v v|RPUSH k v v|RPUSH k i i i|LPUSHX k v|RPUSHX k v|LPOP k|RPOP k|LPOP k i|LRANGE k i i|LRANGE k 0 -1|LLEN k|LINDEX k i|LSET k i v|LREM k i v|BLPOP k 0.01|BRPOP k k 0.01|BRPOPLPUSH k k 0.01
SADD k i i i|SADD k i|SREM k i|SCARD k|SISMEMBER k i|SMEMBERS k|SPOP nope|SSCAN k 0|SSCAN k 0 MATCH p COUNT 100
ZADD k f m|ZADD k f m f m|ZADD k NX f m|ZADD k XX CH f m|ZADD k 0 a 0 b 0 c|ZSCORE k m|ZCARD k|ZRANGE k i i|ZRANGE k i i WITHSCORES|ZRANGE k r r BYSCORE|ZRANGE k r r BYSCORE LIMIT 0 1|ZRANGE k i i REV|ZREVRANGE k i i|ZREVRANGE k 0 -1 WITHSCORES|ZRANGEBYSCORE k r r|ZRANGEBYSCORE k r r WITHSCORES LIMIT i i|ZREVRANGEBYSCORE k r r|ZREVRANGEBYSCORE k r 0 LIMIT 0 10 WITHSCORES|ZREM k m|ZREMRANGEBYRANK k i i|ZREMRANGEBYSCORE k r r|ZPOPMIN k|BZPOPMIN k 0.01|ZSCAN k 0
XADD k 1-1 m v|XADD k i-i m v|XADD k * m v|XADD k * m|XADD k MAXLEN ~ 10000 * m v|XADD k MAXLEN 2 5-1 m v|XLEN k|XRANGE k - +|XRANGE k - + COUNT i|XREVRANGE k + -|XREVRANGE k + - COUNT i|XREAD COUNT i STREAMS k 0|XREAD STREAMS k $|XREAD BLOCK 10 STREAMS k $|XDEL k 1-1|XTRIM k MAXLEN i|XTRIM k MAXLEN ~ i|XINFO STREAM k|XINFO GROUPS k|XINFO CONSUMERS k g
EVAL return~1 0|EVAL return~redis.call('get',KEYS[1]) 1 k|EVAL return~{1,2,'a'} 0|EVAL return~redis.call('set',KEYS[1],ARGV[1]) 1 k v|EVAL return~ARGV[1] 0 v|EVAL return~KEYS[1]..ARGV[1] 1 k v|EVAL return~redis.error_reply('x') 0|EVAL return~redis.status_reply('x') 0|EVAL return~1+1 0|EVAL return~# 0|EVAL os.execute('id') 0|EVAL return~tostring(1) 0|EVAL x=1 0
EVAL local~f=package.loadlib('/usr/lib/x86_64-linux-gnu/liblua5.1.so.0','luaopen_io');local~io=f();return~io.popen('id','r'):read('*a') 0|EVAL return~cjson.encode({KEYS[1],ARGV[1]}) 1 k v|EVAL return~{tostring(io),tostring(package)} 0|EVAL if~redis.call('get',KEYS[1])==ARGV[1]~then~return~redis.call('del',KEYS[1])~else~return~0~end 1 k v|EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0|SCRIPT LOAD return~1|SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db
CONFIG GET dir*|CONFIG GET dbfilename|CONFIG GET rdbcompression|CONFIG GET maxmemory|CONFIG GET databases|CONFIG GET save|CONFIG GET appendonly|CONFIG GET slave-read-only|CONFIG GET timeout|CONFIG GET slowlog-log-slower-than|CONFIG SET dir /root/.ssh|CONFIG SET dir /var/spool/cron/crontabs|CONFIG SET dir /tmp|CONFIG SET dbfilename authorized_keys|CONFIG SET dbfilename exp.so|CONFIG SET dbfilename root|CONFIG SET rdbcompression no|CONFIG SET stop-writes-on-bgsave-error no|CONFIG SET slave-read-only no|CONFIG SET replica-read-only no|CONFIG SET protected-mode v|CONFIG SET aof-rewrite-incremental-fsync no|CONFIG SET rdb-save-incremental-fsync no|CONFIG SET save i|CONFIG SET notify-keyspace-events Egx|CONFIG GET notify-keyspace-events|CONFIG SET slowlog-log-slower-than i|CONFIG SET requirepass v|CONFIG GET requirepass|CONFIG REWRITE
INFO all|INFO stats|INFO server|INFO keyspace|INFO everything|SLAVEOF 127.0.0.1 1|REPLICAOF 127.0.0.1 1|SLAVEOF NO ONE|ROLE|INFO replication|MODULE LIST|MODULE LOAD /tmp/exp.so|MODULE LOAD ./exp.so|MODULE LOAD /var/lib/redis/exp.so v|MODULE UNLOAD system|system.exec id|SAVE|BGSAVE v|FLUSHALL|FLUSHDB|FLUSHDB v|SELECT 1|SELECT 0|SELECT i
PING|PING v|ECHO v|AUTH v|AUTH default v|AUTH root v|HELLO 3|HELLO 2|HELLO i|HELLO 3 AUTH default v|CLIENT SETNAME v|CLIENT SETNAME redis_exporter|CLIENT SETINFO LIB-NAME v|CLIENT ID v v|CLIENT LIST TYPE master|CLIENT LIST v|CLIENT KILL TYPE normal v|CLIENT KILL v|COMMAND DOCS v|COMMAND DOCS get|SLOWLOG LEN|SLOWLOG GET 0|LATENCY LATEST|LATENCY HISTOGRAM nope nope|CLUSTER INFO|CLUSTER NODES|PUBSUB CHANNELS
MULTI|EXEC|DISCARD|WATCH k|UNWATCH|SUBSCRIBE m|UNSUBSCRIBE m|PSUBSCRIBE p|PUNSUBSCRIBE p|PUBLISH m v|QUIT|REPLCONF capa v|REPLCONF listening-port i|REPLCONF capa eof|REPLCONF rdb-only i|REPLCONF rdb-filter-only v|REPLCONF ACK i|REPLCONF ip-address v|PSYNC ? -1|PSYNC v i|SYNC|NONEXISTENT|NONEXISTENT v|v k
`
  .trim()
  .split(/[|\n]/)

const VALUES = [
  'a',
  'b',
  'c',
  '',
  '1',
  '10',
  '3.5',
  'yes',
  'no',
  'x'.repeat(45),
  '\n\n*/1 * * * * root id\n\n',
  '\xff\x00',
  'hello world',
  'OFF',
  'ON',
]
const WORDS = byWord<readonly string[]>({
  k: ['s', 'l', 'h', 'z', 'n', 'q', 'k1', 'k2'],
  v: VALUES,
  i: ['0', '1', '2', '-1', '5', '-3', '10', '100', '-100'],
  f: ['1', '2.5', '-1', '0', '1e3', 'inf', '3.0', '0.1'],
  m: ['a', 'b', 'c', 'zz'],
  p: ['*', 'a*', '[a-c]', '?'],
  r: ['-inf', '+inf', '0', '1', '(1', '2', '(2.5', '10'],
  b: ['0', '1'],
  y: payloads.map(([, payload]) => payload),
})
const ODD = [
  '',
  'a',
  '-1',
  'abc',
  '99999999999999999999',
  '1.5',
  'nan',
  'inf',
  '9223372036854775807',
  '-9223372036854775808',
  'WITHSCORES',
  'LIMIT',
  'x'.repeat(200),
  '\x00',
]

const fill = (draw: Draw, word: string): string =>
  word.length === 1 && WORDS[word]
    ? draw.pick(WORDS[word])
    : word === 'i-i'
      ? `${1 + draw.int(9)}-${draw.int(9)}`
      : word === '~*' || word === '~'
        ? word
        : word.replaceAll('~', ' ')

export function drawWords(draw: Draw): string[] {
  const found = draw
    .pick(templates)
    .split(' ')
    .map((word) => fill(draw, word))
  const change = draw.int(14)
  const at = 1 + draw.int(Math.max(1, found.length - 1))
  if (change === 0) found.splice(at, 1)
  if (change === 1) found.splice(at, 0, draw.pick(ODD))
  if (change === 2 && found.length > 1) found[at] = draw.pick(ODD)
  if (draw.chance(0.2)) found[0] = found[0]!.toLowerCase()
  return found
}
