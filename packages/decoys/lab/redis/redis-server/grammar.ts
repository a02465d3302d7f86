// What a client may send to Redis, drawn at random: commands by template, with their words changed now and then.
import type { Endurance } from '../../../test/endurance.ts'
import { fragment, type Draw } from '../../../test/draw.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { observe } from '../../../test/observe.ts'
import { maskFigures, maskRdb, sortCommands } from './mask.ts'
import { drawWords } from './templates.ts'

const SILENCE_MS = 150

const array = (all: readonly string[]): string =>
  `*${all.length}\r\n${all.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`

const inline = (all: readonly string[]): string =>
  all
    .map((word) => (/^[!#-&(-~]+$/.test(word) ? word : JSON.stringify(word.replace(/[^ -~]/g, '?'))))
    .join(' ') + '\r\n'

const broken = (draw: Draw): string =>
  draw.pick([
    draw.bytes(1 + draw.int(40)) + '\r\n',
    '*3\r\n$3\r\nSET\r\n$-1\r\n',
    '*1\r\n$x\r\n',
    `*${draw.int(5) - 2}\r\n`,
    '*2\r\n$4\r\nECHO\r\n:1\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'ECHO "a\r\n',
    '*1048577\r\n',
    '$4\r\nPING\r\n',
    '\r\n',
  ])

/** What a probe may have changed for those behind it. A user of the judge's own gets in whatever password a probe has set. */
const RESTORE = `AUTH judge judge
ACL SETUSER judge on >judge ~* &* +@all
CONFIG SET requirepass ""
FLUSHALL
SLOWLOG RESET
SLAVEOF NO ONE
SCRIPT FLUSH
CONFIG SET rdbcompression yes slave-read-only yes stop-writes-on-bgsave-error yes protected-mode no
CONFIG SET aof-rewrite-incremental-fsync yes rdb-save-incremental-fsync yes
CONFIG SET notify-keyspace-events "" slowlog-log-slower-than 10000 save "3600 1 300 100 60 10000"
CONFIG RESETSTAT
QUIT
`
export const grammar: Grammar = {
  masks: [
    { name: 'replication id', hide: (text) => text.replace(/[\da-f]{40}/g, 'ID') },
    { name: 'connection id', hide: (text) => text.replace(/(?<=\$2\r\nid\r\n):\d+/g, ':ID') },
    {
      name: 'own folder',
      hide: (text) => text.replace(/\$\d+\r\n(\/var\/lib\/redis|\/tmp\/rookery\S+)\r\n/g, '$N\r\nFOLDER\r\n'),
    },
    {
      name: "figures of INFO that are the process's: memory, time, processor, network, place",
      hide: (text) =>
        text.replace(
          /[$=]\d+\r\n(?:txt:)?(# [\s\S]*?\r\n)(?=\r\n(?:[^#]|$))/g,
          (_, info: string) => `$N\r\n${maskFigures(info)}`,
        ),
    },
    { name: 'time of LASTSAVE', hide: (text) => text.replace(/^:1[67]\d{8}\r\n/gm, ':TIME\r\n') },
    {
      name: 'order of all commands',
      hide: sortCommands,
    },
    {
      name: 'connection in a client line',
      hide: (text) =>
        text
          .replace(
            /\b(id|addr|laddr|fd|age|idle|qbuf|qbuf-free|rbs|rbp|obl|oll|omem|tot-mem|argv-mem)=[\d.:]+/g,
            '$1=N',
          )
          .replace(/\$\d+\r\n(?=id=N)/g, '$N\r\n'),
    },
    { name: 'time, memory, replication and checksum of an RDB', hide: maskRdb },
    {
      name: 'how much a master has sent to replicas',
      hide: (text) =>
        text
          .replace(/(?<=FULLRESYNC ID )\d+/g, 'N')
          .replace(/(?<=\*3\r\n\$6\r\nmaster\r\n):\d+/g, ':N')
          .replace(
            /(?<=^(?:slave_read_repl|slave_repl|master_repl|second_repl)_offset:|^repl_backlog_\w+:)\d+/gm,
            'N',
          ),
    },
    { name: 'id of a new stream entry', hide: (text) => text.replace(/\$15\r\n\d{13}-0/g, '$15\r\nNOW-0') },
  ],
  concurrency: 1,
  async reset(server) {
    await observe(server, [RESTORE], 1_000)
  },
  draw(draw) {
    const requests = draw.many(1, 12, () => {
      const kind = draw.int(20)
      return kind === 0 ? broken(draw) : kind < 5 ? inline(drawWords(draw)) : array(drawWords(draw))
    })
    const send = draw.chance(0.15) ? fragment(draw, requests.join('')) : [requests.join('')]
    return {
      name: JSON.stringify(send),
      ask: (server, patience) => observe(server, send, SILENCE_MS * patience),
    }
  },
}

export const endurance: Endurance = {
  request: '*1\r\n$4\r\nPING\r\n',
  drips: [
    { name: 'a request', first: '', rest: '*2\r\n$4\r\nECHO\r\n$3\r\nabc\r\n' },
    { name: 'an inline request that never ends', first: 'PING\r\n', rest: `ECHO ${'a'.repeat(100)}` },
  ],
}
