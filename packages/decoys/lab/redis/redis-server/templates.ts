// The commands that fresh probes are drawn from, and the words that fill them.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { Draw } from '../../../test/draw.ts'
import { payloads } from './payloads.data.ts'

/**
 * A small letter alone stands for a drawn word: `k` a key, `v` a value, `i` an integer, `f` a float, `m` a member, `p` a
 * pattern, `r` a score limit, `x` a lexical limit, `b` 0 or 1, `t` a time in the future, `y` a payload of DUMP.
 */
const TEMPLATES = `
SET k v|SET k v EX 100|SET k i|SET k v NX|SET k v XX GET|GET k|GETSET k v|GETDEL k|GETEX k EX 100|APPEND k v|STRLEN k|INCR k|INCRBY k i|DECRBY k i|INCRBYFLOAT k f|MSET k v k v|MGET k k|MSETNX k v k v|SETRANGE k i v|GETRANGE k i i|SETNX k v|SETEX k 100 v|PSETEX k i v|LCS k k|LCS k k LEN
SETBIT k i b|SETBIT k 7 1|GETBIT k i|BITCOUNT k|BITCOUNT k i i|BITCOUNT k i i BIT|BITPOS k b|BITPOS k b i|BITPOS k b i i|BITOP AND k k k|BITOP OR k k k|BITOP XOR k k k|BITOP NOT k k|BITFIELD k SET u8 0 i|BITFIELD k GET i8 0|BITFIELD k INCRBY u4 0 i
DEL k|DEL k k|EXISTS k k|TYPE k|RENAME k k|RENAMENX k k|COPY k k|COPY k k REPLACE|MOVE k 1|EXPIRE k i|EXPIRE k 100 NX|PEXPIRE k 100000|EXPIREAT k t|PERSIST k|TOUCH k k|UNLINK k|DBSIZE|KEYS k|SCAN 0 MATCH k|OBJECT ENCODING k|OBJECT REFCOUNT k|EXPIRETIME k|DUMP nope|DUMP k|DUMP k|DUMP k|RESTORE k i v|RESTORE k 0 v REPLACE|RESTORE k 0 y|RESTORE k 0 y REPLACE|RESTORE k i y REPLACE ABSTTL|RESTORE k 100000 y IDLETIME i|RESTORE k 0 y FREQ i|SORT k|SORT k ALPHA|SORT k DESC|SORT k LIMIT i i|SORT k BY nosort|SORT k ALPHA STORE k|SORT_RO k
HSET k m v|HSET k m v m v|HGET k m|HGETALL k|HDEL k m|HLEN k|HKEYS k|HVALS k|HEXISTS k m|HINCRBY k m i|HINCRBYFLOAT k m f|HMSET k m v|HMGET k m m|HSETNX k m v|HSTRLEN k m|HSCAN k 0|HRANDFIELD nope
LPUSH k v|LPUSH k v v v|RPUSH k v v|RPUSH k i i i|LPUSHX k v|LPOP k|RPOP k|LPOP k i|LRANGE k i i|LRANGE k 0 -1|LLEN k|LINDEX k i|LSET k i v|LREM k i v|LINSERT k BEFORE v v|LINSERT k AFTER v v|LTRIM k i i|RPOPLPUSH k k|LMOVE k k LEFT RIGHT|LPOS k v|LPOS k v RANK i|LPOS k v COUNT i|LMPOP 1 k LEFT|LMPOP 2 k k RIGHT COUNT i|BLPOP k 0.01|BRPOP k k 0.01|BLMOVE k k LEFT LEFT 0.01|BRPOPLPUSH k k 0.01|BLMPOP 0.01 1 k LEFT
SADD k i i i|SADD k i|SREM k i|SCARD k|SISMEMBER k i|SMISMEMBER k i i|SMEMBERS k|SINTER k k|SUNION k k|SDIFF k k|SINTERSTORE k k k|SUNIONSTORE k k k|SDIFFSTORE k k k|SINTERCARD 1 k|SINTERCARD 2 k k LIMIT i|SMOVE k k i|SSCAN k 0
ZADD k f m|ZADD k f m f m|ZADD k NX f m|ZADD k XX CH f m|ZADD k GT f m|ZADD k INCR f m|ZADD k 0 a 0 b 0 c|ZSCORE k m|ZMSCORE k m m|ZINCRBY k f m|ZCARD k|ZCOUNT k r r|ZRANK k m|ZREVRANK k m|ZRANGE k i i|ZRANGE k i i WITHSCORES|ZRANGE k r r BYSCORE|ZRANGE k r r BYSCORE LIMIT i i|ZRANGE k x x BYLEX|ZRANGE k i i REV|ZREVRANGE k i i|ZRANGEBYSCORE k r r|ZRANGEBYSCORE k r r WITHSCORES LIMIT i i|ZREVRANGEBYSCORE k r r|ZRANGEBYLEX k x x|ZREVRANGEBYLEX k x x|ZLEXCOUNT k x x|ZREM k m|ZREMRANGEBYRANK k i i|ZREMRANGEBYSCORE k r r|ZREMRANGEBYLEX k x x|ZPOPMIN k|ZPOPMAX k i|ZUNIONSTORE k 2 k k|ZINTERSTORE k 2 k k|ZUNION 2 k k WITHSCORES|ZINTER 2 k k|ZDIFF 2 k k|ZDIFFSTORE k 2 k k|ZINTERCARD 2 k k|ZRANGESTORE k k i i|ZMPOP 1 k MIN|BZPOPMIN k 0.01|ZSCAN k 0
PFADD k v v|PFADD k|PFCOUNT k|PFCOUNT k k|PFMERGE k k|GEOADD k 13.361389 38.115556 a 15.087269 37.502669 b|GEODIST k a b|GEODIST k a b km|GEOPOS k a|GEOHASH k a|GEOSEARCH k FROMMEMBER a BYRADIUS 500 km ASC|GEORADIUS k 15 37 200 km
XADD k 1-1 m v|XADD k i-i m v|XADD k * m|XADD k MAXLEN 2 5-1 m v|XADD k NOMKSTREAM 9-9 m v|XLEN k|XRANGE k - +|XRANGE k - + COUNT i|XREVRANGE k + -|XREAD COUNT i STREAMS k 0|XREAD STREAMS k $|XDEL k 1-1|XTRIM k MAXLEN i|XGROUP CREATE k g 0|XGROUP CREATE k g $ MKSTREAM|XGROUP DESTROY k g|XREADGROUP GROUP g c STREAMS k >|XACK k g 1-1|XPENDING k g|XINFO GROUPS k|XSETID k 9-9|XPENDING k g - + 10|XPENDING k g IDLE 0 - + i c|XCLAIM k g d 0 1-1|XCLAIM k g c 0 1-1 JUSTID|XCLAIM k g c 0 1-1 FORCE RETRYCOUNT i|XCLAIM k g c i v|XAUTOCLAIM k g d 0 0|XAUTOCLAIM k g c 0 0 COUNT i JUSTID|XGROUP CREATECONSUMER k g c|XGROUP DELCONSUMER k g c|XGROUP SETID k g $|XGROUP SETID k g 0 ENTRIESREAD i|XREADGROUP GROUP g c STREAMS k 0|XINFO STREAM k|XINFO STREAM k FULL|XINFO STREAM k FULL COUNT i|XINFO CONSUMERS k g
EVAL return~1 0|EVAL return~redis.call('get',KEYS[1]) 1 k|EVAL return~{1,2,'a'} 0|EVAL return~redis.call('set',KEYS[1],ARGV[1]) 1 k v|EVAL return~ARGV[1] 0 v|EVAL return~KEYS[1]..ARGV[1] 1 k v|EVAL return~redis.error_reply('x') 0|EVAL return~redis.status_reply('x') 0|EVAL return~1+1 0|EVAL return~# 0|EVAL os.execute('id') 0|EVAL return~tostring(1) 0|EVAL x=1 0|EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0|SCRIPT LOAD return~1|SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db
CONFIG GET dir*|CONFIG GET maxmemory|CONFIG SET dir /root/.ssh|CONFIG SET dir /tmp|CONFIG SET dbfilename authorized_keys|CONFIG SET maxmemory 100mb|CONFIG SET maxmemory 1gb|CONFIG SET maxmemory 0|CONFIG SET maxmemory 1k|CONFIG GET save|CONFIG SET save i|CONFIG SET rdbcompression no|CONFIG SET slave-read-only no|CONFIG SET timeout i|CONFIG SET hz i|CONFIG SET loglevel debug|CONFIG SET stop-writes-on-bgsave-error no|CONFIG SET protected-mode v|CONFIG SET maxmemory-policy allkeys-lru|CONFIG GET maxmemory-policy|CONFIG SET appendonly v|CONFIG SET lua-time-limit i|CONFIG SET list-max-listpack-size i|CONFIG SET hash-max-listpack-entries i|CONFIG SET notify-keyspace-events KEA|CONFIG GET notify-keyspace-events|CONFIG SET slowlog-log-slower-than i|CONFIG SET client-output-buffer-limit v|CONFIG SET requirepass v|CONFIG GET requirepass|CONFIG SET replica-announce-ip v|CONFIG REWRITE|CONFIG RESETSTAT
INFO commandstats|INFO errorstats|INFO stats|INFO everything|SLAVEOF 127.0.0.1 1|REPLICAOF 127.0.0.1 1|SLAVEOF NO ONE|ROLE|INFO replication|MODULE LIST|MODULE LOAD /tmp/exp.so|MODULE LOAD /var/lib/redis/exp.so v|MODULE UNLOAD system|system.exec id|DEBUG OBJECT k|DEBUG SLEEP 0|SAVE|LASTSAVE v|BGSAVE v|FLUSHALL|FLUSHDB v|SWAPDB 0 1|SELECT 1|SELECT 0|SELECT i
PING|PING v|ECHO v|AUTH v|AUTH default v|AUTH root v|HELLO 3|HELLO 2|HELLO i|CLIENT GETNAME|CLIENT SETNAME v|CLIENT ID v|CLIENT KILL v|CLIENT NO-EVICT v|CLIENT REPLY v|CLIENT TRACKING v|CLIENT UNBLOCK i|CLIENT TRACKINGINFO|ACL WHOAMI|ACL GETUSER default|ACL GETUSER m|ACL LIST|ACL USERS|ACL SETUSER m on >p ~* +@all|ACL DELUSER m|ACL CAT v|ACL LOG|ACL DRYRUN default GET k|ACL GENPASS
MULTI|EXEC|DISCARD|WATCH k|UNWATCH|SUBSCRIBE m|UNSUBSCRIBE m|PSUBSCRIBE p|PUBLISH m v|PUBSUB CHANNELS|PUBSUB NUMSUB m|RESET|QUIT|COMMAND COUNT|COMMAND INFO get|COMMAND GETKEYS SET k v|COMMAND DOCS v|MEMORY USAGE nope|SLOWLOG LEN|LATENCY RESET|CLUSTER INFO|CLUSTER v|WAIT 0 0|OBJECT FREQ k|REPLCONF capa v|REPLCONF listening-port i|REPLCONF capa eof|REPLCONF rdb-only i|REPLCONF rdb-filter-only v|REPLCONF ACK i|REPLCONF ip-address v|PSYNC ? -1|PSYNC v i|SYNC|FUNCTION LIST|FCALL v 0|LOLWUT v|FOO v|v k
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
  x: ['-', '+', '[a', '(b', '[c'],
  b: ['0', '1'],
  t: ['99999999999'],
  y: payloads.map(([, payload]) => payload),
})
export const ODD = [
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
      : word === '~*'
        ? word
        : word.replaceAll('~', ' ')

export function drawWords(draw: Draw): string[] {
  const found = draw
    .pick(TEMPLATES)
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
