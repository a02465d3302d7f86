// The probes that Redis 7.0.15 and our decoy answer alike. `|` separates the commands of one connection.
import type { Probe } from '../../../test/probe.ts'
import { payloads } from './payloads.data.ts'

export const reset = '*1\r\n$8\r\nFLUSHALL\r\n'

const array = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`

const encode = (line: string): string =>
  array(line.split(' ').map((word) => (word === "''" ? '' : word.replaceAll('~', ' '))))

const commands = `
PING|PING hello|PING a b|ping|PiNg ''
ECHO hi|ECHO|ECHO a b
QUIT|PING
QUIT now
SELECT 0|SELECT 15|SELECT 16|SELECT -1|SELECT abc|SELECT|SELECT 1 2|SELECT 99999999999999999999
SET a 1|GET a|GET a b|GET|GET nokey
SET a|SET a b c|SET a b EX|SET a b EX 0|SET a b EX -1|SET a b EX abc|SET a b EX 10|TTL a
SET a b PX 1000|SET a b NX|SET b c NX|SET b d XX|SET zz d XX|GET b|SET a b NX XX|SET a b GET|SET n b GET
SET a b KEEPTTL|SET a b EX 10 PX 10|SET a b EX 10 KEEPTTL|TTL a
SET a b EXAT 99999999999|TTL nope|PTTL nope|SET a b PX 0|SET a b EX 99999999999999999
SETNX a 1|SETNX a 2|GET a|SETEX a 0 b|SETEX a 10 b|SETEX a x b|SETEX a 10|PSETEX a 10000 b|PSETEX a 0 b
GETSET a 1|GETSET a 2|GETDEL a|GETDEL a|GETEX a|SET a 1|GETEX a EX 10|GETEX a PERSIST|TTL a
MSET a 1 b 2|MGET a b c|MSET a|MSET a 1 b|MSETNX a 1 z 2|MSETNX y 1 z 2|MGET y z|MGET
INCR n|INCR n|INCRBY n 10|DECR n|DECRBY n 5|INCRBY n abc|INCR a b|INCR|GET n
SET s abc|INCR s|DECR s|INCRBYFLOAT s 1|SET m 9223372036854775807|INCR m|DECRBY m -9223372036854775808
INCRBYFLOAT f 1.5|INCRBYFLOAT f 2|INCRBYFLOAT f abc|GET f
APPEND a hello|APPEND a world|GET a|STRLEN a|STRLEN none|APPEND a|STRLEN
GETRANGE a 0 -1|SET a hello|GETRANGE a 1 3|GETRANGE a -3 -1|GETRANGE a 5 2|SUBSTR a 0 1|GETRANGE a x 1|SETRANGE a 2 XX|GET a|SETRANGE n 3 a|GET n|SETRANGE a -1 b|SETRANGE q 0 ''
SET a b|DEL a|DEL a|DEL a b c|DEL|SET a 1|UNLINK a|UNLINK
SET a 1|EXISTS a|EXISTS a a b|EXISTS|TYPE a|TYPE nope|TYPE
SET a 1|EXPIRE a 100|TTL a|PERSIST a|TTL a|PERSIST a|EXPIRE nope 10|EXPIRE a abc|EXPIRE a -1|GET a
SET a 1|PEXPIRE a 100000|EXPIREAT a 99999999999|TTL nope|EXPIRE a 10 NX|EXPIRE a 10 FOO|EXPIRE a 10 XX|EXPIRE a 5 GT|EXPIRE a 5 LT|EXPIRE a 9223372036854775807
KEYS *|SET foo 1|KEYS f*|KEYS ?oo|KEYS [a-f]oo|KEYS bar|KEYS|KEYS a b
DBSIZE|SET a 1|DBSIZE|DBSIZE x|RANDOMKEY|FLUSHDB|RANDOMKEY
SCAN 0|SET a 1|SCAN 0|SCAN 0 MATCH a*|SCAN 0 MATCH z*|SCAN 0 COUNT 10|SCAN 0 COUNT 0|SCAN 0 COUNT abc|SCAN abc|SCAN 0 FOO|SCAN|SCAN 0 TYPE string|SCAN 0 TYPE list
SET a 1|RENAME a b|RENAME a b|GET b|RENAMENX b c|SET d 1|RENAMENX c d|RENAME a|RENAMENX x y
SET a 1|COPY a b|GET b|COPY a b|COPY a b REPLACE|COPY nope b|MOVE a 1|MOVE a 0|MOVE a 99|TOUCH a b|OBJECT ENCODING a|OBJECT ENCODING b|OBJECT HELP|OBJECT FOO|OBJECT
OBJECT REFCOUNT nope|OBJECT FREQ nope|OBJECT IDLETIME nope|SET k hello|OBJECT ENCODING k|OBJECT REFCOUNT k|OBJECT FREQ k
HSET h a 1|HSET h a 2 b 3|HGET h a|HGET h z|HGETALL h|HLEN h|HKEYS h|HVALS h|HEXISTS h a|HEXISTS h z|HDEL h a|HDEL h a|HLEN h
HSET h a|HSET h|HGET h|HGET nope a|HGETALL nope|HGETALL|HMSET h a 1|HMSET h a|HMGET h a b|HMGET h|HSETNX h a 2|HSETNX h c 2|HSTRLEN h a|HINCRBY h n 5|HINCRBY h n x|HINCRBYFLOAT h f 1.5
HSET h a abc|HINCRBY h a 1|HSCAN h 0|HSCAN nope 0|HRANDFIELD nope|HSCAN h abc
LPUSH l a b c|LRANGE l 0 -1|RPUSH l d|LRANGE l 1 2|LRANGE l 5 10|LLEN l|LPOP l|RPOP l|LINDEX l 0|LINDEX l 9|LLEN nope|LPOP nope|LPOP l 2|LPOP nope 2|LRANGE l x 1
LPUSHX l a|RPUSHX l a|LPUSH l 1|RPUSHX l 2|LSET l 0 z|LSET l 9 z|LSET nope 0 z|LREM l 0 z|LINSERT l BEFORE 2 1|LRANGE l 0 -1|LTRIM l 0 0|LRANGE l 0 -1|LPUSH l|LPUSH|LRANGE l|LINSERT l FOO a b
RPUSH l a b c|RPOPLPUSH l m|LRANGE m 0 -1|LMOVE l m LEFT RIGHT|LRANGE m 0 -1|LPOS m c|LPOS m zz|RPOP l -1|LPOP l abc
SADD s a b c|SADD s a|SCARD s|SISMEMBER s a|SISMEMBER s z|SREM s a|SREM s a|SCARD s|SMISMEMBER s b z|SADD s|SMEMBERS nope|SCARD nope|SADD
SADD t a|SMEMBERS t|SINTER t nope|SUNION t nope|SDIFF t nope|SPOP t|SPOP t|SRANDMEMBER nope|SMOVE t u a|SSCAN nope 0|SADD i 1 2 3|SMEMBERS i|OBJECT ENCODING i
ZADD z 1 a 2 b|ZADD z 1 a|ZSCORE z a|ZSCORE z q|ZCARD z|ZRANGE z 0 -1|ZRANGE z 0 -1 WITHSCORES|ZREM z a|ZRANK z b|ZRANK z q|ZCARD nope|ZADD z x a|ZADD z 1|ZINCRBY z 5 b|ZREVRANGE z 0 -1|ZCOUNT z 0 10
ZRANGEBYSCORE nope 0 1|ZRANGE nope 0 -1|ZADD z 1.5 a|ZSCORE z a|ZADD z inf b|ZSCORE z b|ZRANGE z 0 abc
SET a 1|LPUSH a 1|HSET a b c|SADD a b|ZADD a 1 b|LRANGE a 0 -1|HGETALL a|SMEMBERS a|LLEN a|HGET a b
LPUSH l a|GET l|INCR l|APPEND l a|STRLEN l|SET l x|GET l|GETSET l y|MGET l
XADD s * a|XLEN nope|XRANGE nope - +|XREAD COUNT 1 STREAMS nope 0|XINFO STREAM nope|XDEL nope 1-1|XADD
GETBIT nope 0|BITCOUNT nope|PFCOUNT nope|GEOPOS nope a|GETBIT nope abc|BITPOS nope 1|GEODIST nope a b|ZMSCORE nope a|BITCOUNT
MULTI|PING|SET a 1|EXEC|GET a|EXEC|DISCARD|MULTI|DISCARD
MULTI|MULTI|FOO|EXEC|MULTI|GET|EXEC|WATCH a|UNWATCH|MULTI|WATCH a|EXEC
MULTI|EXEC|MULTI|INCR a|LPUSH a b|EXEC|WATCH
AUTH foo|AUTH|AUTH default foo|AUTH bob foo|AUTH a b c|AUTH ''|AUTH default ''
ACL WHOAMI|ACL LIST|ACL USERS|ACL CAT foo|ACL GETUSER nobody|ACL|ACL FOO|ACL SETUSER|ACL DELUSER default|ACL DELUSER bob|ACL LOG|ACL LOG RESET|ACL LOAD|ACL SAVE|ACL GENPASS abc
HELLO 4|HELLO abc|HELLO 1|HELLO 2 FOO|HELLO 3 AUTH default foo|HELLO 3 AUTH a|HELLO 2 SETNAME a~b|HELLO 3 AUTH bob foo
HELLO 2
HELLO 3
HELLO
HELLO 3|GET nope|HGETALL nope|SMEMBERS nope|SET a 1|HSET h a 1|HGETALL h|ZADD z 1 a|ZSCORE z a|CONFIG GET port|EXEC|MGET a q|LPOP nope|ZRANGE z 0 -1 WITHSCORES|SADD s a|SMEMBERS s
CLIENT SETNAME bob|CLIENT GETNAME|CLIENT SETNAME a~b|CLIENT SETNAME ''|CLIENT GETNAME|CLIENT SETNAME|CLIENT GETNAME x
CLIENT|CLIENT FOO|CLIENT ID x|CLIENT KILL|CLIENT KILL 1.2.3.4:5|CLIENT KILL TYPE foo|CLIENT KILL ID 99999|CLIENT PAUSE abc|CLIENT UNPAUSE|CLIENT NO-EVICT ON|CLIENT NO-EVICT foo|CLIENT REPLY FOO|CLIENT REPLY ON|CLIENT TRACKING FOO|CLIENT TRACKINGINFO|CLIENT GETREDIR|CLIENT CACHING YES|CLIENT UNBLOCK 99999|CLIENT SETINFO lib-name x
CLIENT LIST TYPE foo|CLIENT LIST ID abc|CLIENT LIST FOO
CLIENT LIST
CLIENT INFO
CLIENT REPLY OFF|PING|CLIENT REPLY ON|PING
CLIENT REPLY SKIP|PING|PING
CLIENT HELP
CONFIG GET maxmemory|CONFIG GET dbfilename|CONFIG GET nope|CONFIG GET|CONFIG|CONFIG FOO|CONFIG GET databases maxclients
CONFIG GET requirepass|CONFIG GET appendonly|CONFIG GET max*|CONFIG GET SAVE
CONFIG SET foo bar|CONFIG SET|CONFIG SET maxmemory|CONFIG SET maxmemory abc|CONFIG SET dir /nonexistent/dir|CONFIG SET databases 20|CONFIG SET dbfilename a/b|CONFIG SET port abc|CONFIG SET a b c
CONFIG SET slave-read-only yes|CONFIG SET timeout 0|CONFIG SET appendonly no|CONFIG SET maxclients 10000|CONFIG SET appendonly foo|CONFIG SET loglevel foo|CONFIG SET timeout -1|CONFIG SET daemonize yes|CONFIG SET protected-mode no|CONFIG SET dbfilename dump.rdb|CONFIG GET dbfilename|CONFIG SET stop-writes-on-bgsave-error no
CONFIG RESETSTAT|CONFIG REWRITE|CONFIG RESETSTAT x|CONFIG HELP
INFO foo|INFO keyspace|SET a 1|INFO keyspace|INFO modules|INFO cluster|INFO a b
INFO server
INFO clients
INFO persistence
INFO replication
INFO stats
INFO cpu
INFO memory
INFO
INFO all
INFO everything
INFO default
INFO commandstats|INFO errorstats|INFO SERVER
COMMAND COUNT|COMMAND FOO|COMMAND GETKEYS GET a|COMMAND GETKEYS|COMMAND GETKEYS FOO|COMMAND GETKEYS PING|COMMAND INFO nope|COMMAND COUNT x|COMMAND LIST FILTERBY FOO x|COMMAND DOCS nope|COMMAND GETKEYS MSET a 1 b 2
COMMAND HELP
TIME x|LASTSAVE x|ROLE x|ROLE|WAIT 0 0|WAIT a b|WAIT 0|LOLWUT|READONLY|READWRITE|ASKING|CLUSTER INFO|CLUSTER NODES|CLUSTER|CLUSTER FOO|CLUSTER HELP
SAVE x|BGSAVE foo|DEBUG SLEEP 0|DEBUG|DEBUG OBJECT a|DEBUG JMAP|SLOWLOG GET|SLOWLOG LEN|SLOWLOG RESET|SLOWLOG FOO|SLOWLOG|LATENCY LATEST|LATENCY RESET|LATENCY FOO|LATENCY DOCTOR|MEMORY DOCTOR|MEMORY USAGE nope|MEMORY FOO|MEMORY PURGE|MEMORY
SAVE
SLAVEOF NO ONE|REPLICAOF NO ONE|SLAVEOF a|SLAVEOF a b|SLAVEOF 127.0.0.1 99999999|REPLICAOF a b c|ROLE
MODULE LIST|MODULE LOAD /tmp/exp.so|MODULE LOAD|MODULE UNLOAD foo|MODULE FOO|MODULE|MODULE HELP|MODULE LOADEX /tmp/x.so
EVAL return~1|EVAL|EVAL return~1 abc|EVAL return~1 -1|EVAL return~1 1|EVALSHA foo 0|EVALSHA ffffffffffffffffffffffffffffffffffffffff 0|SCRIPT EXISTS foo|SCRIPT FLUSH|SCRIPT KILL|SCRIPT FOO|SCRIPT|SCRIPT LOAD|SCRIPT FLUSH FOO|SCRIPT HELP
EVAL return~1 0|EVAL return~'hi' 0|EVAL return~nil 0|EVAL return~true 0
FCALL foo 0|FUNCTION LIST|FUNCTION FOO|FUNCTION KILL|FUNCTION STATS|FUNCTION DELETE foo|FUNCTION FLUSH|FCALL foo
SUBSCRIBE a|PING|GET a|UNSUBSCRIBE a|PING
SUBSCRIBE a b|PSUBSCRIBE c*|UNSUBSCRIBE|PUNSUBSCRIBE|GET a
UNSUBSCRIBE|PUNSUBSCRIBE|UNSUBSCRIBE x|SUBSCRIBE|PUBLISH a b|PUBLISH a|PUBSUB CHANNELS|PUBSUB NUMSUB a|PUBSUB NUMPAT|PUBSUB FOO|PUBSUB|SPUBLISH a b|PUBSUB HELP|SUNSUBSCRIBE
SUBSCRIBE a|QUIT
MONITOR x
MONITOR
SYNC x
PSYNC|PSYNC a
REPLCONF|REPLCONF a|REPLCONF listening-port 6380|REPLCONF listening-port abc|REPLCONF capa eof|REPLCONF foo bar
FLUSHALL|FLUSHDB|FLUSHALL ASYNC|FLUSHALL FOO|FLUSHDB SYNC|FLUSHALL a b
SHUTDOWN FOO|SHUTDOWN ABORT|SHUTDOWN a b c d e
RESET|RESET x|SELECT 1|RESET|CLIENT GETNAME
SWAPDB 0 1|SWAPDB 0 99|SWAPDB a 1|SWAPDB 0|SORT nope|DUMP nope|RESTORE a 0 x|RESTORE a|MIGRATE a b c|MIGRATE 127.0.0.1 1 nope 0 100
FOO|foo bar baz|FOO ''|GETT a|get-all x y z|hello_world a
POST / HTTP/1.1
host: x
POST|PING
[[,[[
system.exec id
system.exec
OPTIONS / HTTP/1.0
GET / HTTP/1.0
BLPOP nope 0.01|BRPOP nope 0.01|BLPOP a abc|BLPOP a -1|BLPOP a|RPUSH q a|BLPOP q 1
SINTERSTORE d nope|SUNIONSTORE d nope|SDIFFSTORE d nope|SINTERCARD 1 nope|SINTERCARD abc nope|ZUNION 1 nope|ZINTERCARD 1 nope|ZPOPMIN nope|ZPOPMAX nope|ZRANDMEMBER nope|ZLEXCOUNT nope - +|ZREMRANGEBYRANK nope 0 1|ZRANGEBYLEX nope - +|ZREVRANK nope a|ZDIFF 1 nope
XREVRANGE nope + -|XTRIM nope MAXLEN 10|XPENDING nope g|XACK nope g 1-1|XGROUP CREATE nope g 0|XREADGROUP GROUP g c STREAMS nope >|XINFO|XGROUP|XGROUP FOO
SET a 1|DUMP a|SET a 300|DUMP a|SET a -70000|DUMP a|SET a 12345678901|DUMP a|SET a ''|DUMP a|SET a hello|DUMP a|APPEND a 1|DUMP a
SET a aaaaaaaaaaaaaaaaaaaa|DUMP a|SET a aaaaaaaaaaaaaaaaaaaaa|DUMP a|SET a The~quick~brown~fox~jumps~over~the~lazy~dog.~The~quick~brown~fox~jumps~over~the~lazy~dog~again.|DUMP a
SETBIT a 5000 1|DUMP a|SETRANGE b 300 xyz|DUMP b|PFADD c a b d|DUMP c|GEOADD g 13.361389 38.115556 a 15.087269 37.502669 b|DUMP g
RPUSH l a b c 1 2 300 -5 70000 99999999999 -9223372036854775808|DUMP l|CONFIG SET rdbcompression no|DUMP l|CONFIG SET rdbcompression yes|DUMP l x|DUMP
SADD s 1 2 3|DUMP s|SADD s 70000|DUMP s|SADD s 99999999999|DUMP s|SADD t a|DUMP t
HSET h f v g 1 h -300|DUMP h|HDEL h g|DUMP h|HSET i f 12345678901234567890123456789012345678901234567890123456789012345|DUMP i
ZADD z 1 a 2 b 1.5 c -3 d inf e 0.1 f 1e20 g 3 7|DUMP z|ZADD y 123456789012345678 b|DUMP y|ZADD x 1 12345678901234567890123456789012345678901234567890123456789012345 2.5 c|DUMP x
XADD s 1-1 a b|DUMP s|XDEL s 1-1|DUMP s|XADD s 6-0 a b c 17|DUMP s
RESTORE k 0 ''|RESTORE k 0 abc|RESTORE k -1 abc|RESTORE k x abc|RESTORE k 0 abc FOO|RESTORE k 0 abc IDLETIME -1|RESTORE k 0 abc FREQ 256|RESTORE k 0 abc IDLETIME 1 FREQ 2|RESTORE k 0 abc IDLETIME|RESTORE k 0 abc REPLACE ABSTTL IDLETIME 5
XADD s 1-1 a b|XADD s 2-1 a c|XINFO STREAM s FULL|XINFO STREAM s FULL COUNT 1|XINFO STREAM s FULL COUNT 0|XINFO STREAM s FULL COUNT -1
XADD s 1-1 a b|XINFO STREAM s FULL COUNT x|XINFO STREAM s FULL COUNT|XINFO STREAM s FULL FOO 1|XINFO STREAM s FOO|XINFO STREAM nope FULL|SET n 1|XINFO STREAM n FULL|HELLO 3|XINFO STREAM s FULL
PSYNC ? x|PSYNC ? 1.5|PING|PSYNC ? -1|MULTI|PSYNC ? -1|SYNC|DISCARD
REPLCONF rdb-only 2|REPLCONF rdb-only a|REPLCONF rdb-only 0|REPLCONF rdb-filter-only x|REPLCONF rdb-filter-only functions|REPLCONF rdb-filter-only ''|REPLCONF ACK 1|REPLCONF getack *|REPLCONF capa psync2 capa foo|REPLCONF ip-address 10.0.0.9 listening-port 99999999999999999999
LCS a b|GEOSEARCH nope|GEOHASH nope a|PFADD|BITOP AND d nope|BITFIELD nope|BITFIELD_RO nope|EXPIRETIME nope|PEXPIRETIME nope|LMPOP 1 nope LEFT|ZMPOP 1 nope MIN|SORT_RO nope
`

const raw: readonly [string, ...string[]][] = [
  ['inline ping', 'PING\r\n'],
  ['inline bare newline', 'PING\n'],
  ['inline empty lines', '\r\n\r\n\nPING\r\n'],
  ['inline spaces', '   PING   \r\n'],
  ['inline quotes', 'ECHO "a b"\r\n'],
  ['inline single quotes', "ECHO 'a b'\r\n"],
  ['inline escapes', 'ECHO "a\\n\\x41\\t\\\\\\q"\r\n'],
  ['inline single escape', "ECHO 'a\\'b'\r\n"],
  ['inline unbalanced', 'ECHO "abc\r\nPING\r\n'],
  ['inline unbalanced single', "ECHO 'abc\r\n"],
  ['inline quote then text', 'ECHO "a"b\r\n'],
  ['inline tabs', 'ECHO\tx\r\n'],
  ['inline quoted empty', 'ECHO ""\r\n'],
  ['inline http', 'GET / HTTP/1.0\r\n\r\n'],
  ['inline http post', 'POST / HTTP/1.1\r\nHost: x\r\n\r\nFLUSHALL\r\n'],
  ['inline http host first', 'GET / HTTP/1.1\r\nHost: x\r\nPING\r\n'],
  ['inline binary', '\x00\x01\x02\xff\r\n'],
  ['inline nul', 'PING\x00\r\n'],
  ['inline nul args', 'FOO a\x00b c\r\n'],
  ['inline no newline', 'PING'],
  ['inline fragmented', 'PI', 'NG\r', '\n'],
  ['inline long unknown', `FOO ${'a'.repeat(300)} b\r\n`],
  ['inline long command', `${'A'.repeat(200)} b\r\n`],
  ['inline many args', `FOO ${'ab '.repeat(100)}\r\n`],
  ['inline 60k', `ECHO ${'a'.repeat(60_000)}\r\n`],
  ['inline too big', 'a'.repeat(70_000)],
  ['inline tls hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n'],
  ['inline ssh', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['inline help', 'help\r\n'],
  ['inline quit', 'quit\r\n'],
  ['inline rdp', '\x03\x00\x00\x0b\x06\xe0\x00\x00\x00\x00\x00'],
  ['array fragmented', '*1\r', '\n$4\r\nPI', 'NG\r\n'],
  ['array by byte', ...'*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n'],
  ['array empty', '*0\r\n*1\r\n$4\r\nPING\r\n'],
  ['array negative', '*-1\r\n*-10\r\n*1\r\n$4\r\nPING\r\n'],
  ['array length text', '*abc\r\n'],
  ['array length empty', '*\r\n'],
  ['array length plus', '*+1\r\n$4\r\nPING\r\n'],
  ['array length zero first', '*01\r\n$4\r\nPING\r\n'],
  ['array length space', '* 1\r\n$4\r\nPING\r\n'],
  ['array length huge', '*2147483648\r\n'],
  ['array length big', '*1048577\r\n'],
  ['array length int max', '*2147483647\r\n'],
  ['array length overflow', '*99999999999999999999\r\n'],
  ['array length minus zero', '*-0\r\n'],
  ['array bulk missing', '*1\r\nPING\r\n'],
  ['array bulk empty line', '*1\r\n\r\n'],
  ['array bulk length text', '*1\r\n$abc\r\n'],
  ['array bulk length empty', '*1\r\n$\r\n'],
  ['array bulk negative', '*1\r\n$-1\r\n'],
  ['array bulk huge', '*1\r\n$536870913\r\n'],
  ['array bulk max', '*1\r\n$536870912\r\n'],
  ['array bulk colon', '*1\r\n:4\r\nPING\r\n'],
  ['array bulk wrong binary', '*1\r\n\xff\r\n'],
  ['array bulk nul', '*1\r\n\x00\r\n'],
  ['array second bulk wrong', '*2\r\n$4\r\nECHO\r\nx\r\n'],
  ['array bulk no crlf', '*1\r\n$4\r\nPINGxx*1\r\n$4\r\nPING\r\n'],
  ['array bulk short', '*1\r\n$3\r\nPING\r\n'],
  ['array empty command', '*1\r\n$0\r\n\r\n'],
  ['array newline only', '*1\n$4\nPING\n'],
  ['array then inline', '*1\r\n$4\r\nPING\r\nPING\r\n'],
  ['array too big count', `*${'1'.repeat(70_000)}`],
  ['array too big bulk count', `*1\r\n$${'1'.repeat(70_000)}`],
  [
    'array binary value',
    '*3\r\n$3\r\nSET\r\n$1\r\na\r\n$4\r\n\x00\r\n\xff\r\n*2\r\n$3\r\nGET\r\n$1\r\na\r\n',
  ],
  ['array unknown newline', '*2\r\n$5\r\nA\r\nBC\r\n$3\r\nx\ny\r\n'],
  ['array unknown nul', '*2\r\n$5\r\nA\x00BCD\r\n$3\r\nx\x00y\r\n'],
  [
    'array big value',
    `*3\r\n$3\r\nSET\r\n$1\r\na\r\n$100000\r\n${'x'.repeat(100_000)}\r\n*2\r\n$6\r\nSTRLEN\r\n$1\r\na\r\n`,
  ],
  ['array nested', '*1\r\n*1\r\n$4\r\nPING\r\n'],
  ['pipeline', 'PING\r\n'.repeat(50)],
  ['pipeline mixed', '*1\r\n$4\r\nPING\r\nFOO\r\n*2\r\n$4\r\nECHO\r\n$1\r\na\r\nPING x\r\n'],
  ['replica', 'REPLCONF capa psync2\r\n', 'PSYNC ? -1\r\n'],
  ['replica of an old version', 'SYNC\r\n'],
  ['replica that knows an id', 'PSYNC 0123456789012345678901234567890123456789 1\r\n'],
  ['replica that asks', 'PSYNC ? -1\r\n', 'REPLCONF ACK 0\r\n', 'SYNC\r\n', 'PING\r\n'],
  ['replica that wants the file', 'REPLCONF rdb-only 1\r\n', 'SYNC\r\n'],
  ['replica that wants functions', 'REPLCONF rdb-filter-only functions\r\n', 'SYNC\r\n'],
  ['replica of a replica', 'SLAVEOF 127.0.0.1 1\r\n', 'PSYNC ? -1\r\n', 'SYNC\r\n', 'SLAVEOF NO ONE\r\n'],
  ['copy of keys', 'SELECT 3\r\nRPUSH l a 1\r\nSELECT 0\r\nSET a hello\r\n', 'SYNC\r\n'],
  ...payloads.map(([name, payload]): [string, string] => [
    `restore ${name}`,
    [
      ['RESTORE', 'k', '0', payload],
      ['TYPE', 'k'],
      ['DUMP', 'k'],
      ['RESTORE', 'k', '0', payload],
    ]
      .map(array)
      .join(''),
  ]),
  [
    'restore with a time',
    [
      ['RESTORE', 'k', '100000', payloads[0]![1]],
      ['EXISTS', 'k'],
      ['RESTORE', 'k', '1', payloads[0]![1], 'REPLACE', 'ABSTTL'],
      ['EXISTS', 'k'],
    ]
      .map(array)
      .join(''),
  ],
  ['resp3 inline', '%1\r\n'],
  ['dollar inline', '$4\r\nPING\r\n'],
  ['plus inline', '+OK\r\n'],
  ['sixteen args', `*16\r\n${'$3\r\nFOO\r\n'.repeat(16)}`],
  ['nmap info', '*1\r\n$4\r\ninfo\r\n'],
]

/** Single commands, each on a connection of its own, so that one difference counts once. */
const singles = `
LPUSH|RPUSH a|SADD a|ZADD a 1|HSET a b|HDEL a|HGET a|HMGET a|HKEYS|HVALS|HLEN|LLEN|LINDEX a|LSET a 0|LREM a 0|LTRIM a 0|SISMEMBER a|SMEMBERS|SPOP
ZSCORE a|ZRANGE a 0|ZREM a|ZCARD|ZRANK a|EXPIRE a|TTL|PTTL|PERSIST|RENAME|RENAMENX a|TYPE a b|TOUCH|MOVE a|COPY a|APPEND|GETSET a|MGET|SETEX a 1|SETNX a|INCRBY a|DECRBY
SUBSCRIBE|PSUBSCRIBE|PUBLISH|EVALSHA a|SCRIPT|MULTI x|EXEC x|DISCARD x|WATCH|UNWATCH x|SAVE a b|DBSIZE a|FLUSHDB FOO|TIME a|MONITOR a b|OBJECT ENCODING|DUMP|RESTORE|MIGRATE|SORT|GEOADD a|PFCOUNT|XLEN|XADD a
CONFIG SET x|CONFIG GET|CLIENT SETNAME|CLIENT LIST FOO|CLIENT KILL|ACL GETUSER|COMMAND GETKEYS|MEMORY USAGE|MODULE LOAD|SLOWLOG GET abc|LATENCY HISTORY|CLUSTER KEYSLOT|XGROUP CREATE|FUNCTION LOAD|PUBSUB NUMSUB x y|LATENCY GRAPH nope|CLUSTER MYID|ACL HELP|MEMORY HELP|SLOWLOG HELP|ACL DRYRUN default get a
config get *a|config get dir|Config Get PORT|get|GeT|set|SeT a|unknown|FOO 'a' "b"|JSON.GET a|FT.SEARCH x y|TS.GET a|INFO nope|SELECT 3|SELECT ''|EXISTS x|ZINCRBY a b c|BITCOUNT a 0|GETBIT a|SETBIT a 0|SETBIT a x 1|SETBIT a 0 2|PFMERGE
`

const one = (line: string): Probe => ({ name: line, send: [line.split('|').map(encode).join('')] })
const lines = commands.trim().split('\n')

export const probes: readonly Probe[] = [
  ...lines.map(one),
  // The same commands again, each on a connection of its own.
  ...[
    ...new Set(
      [...lines, ...singles.trim().split('\n')]
        .filter((line) => line.includes('|'))
        .flatMap((line) => line.split('|')),
    ),
  ]
    .filter((line) => !lines.includes(line) && !/^(SHUTDOWN|LOLWUT|RANDOMKEY)/.test(line))
    .map(one),
  ...raw.map(([name, ...send]) => ({ name, send })),
]
