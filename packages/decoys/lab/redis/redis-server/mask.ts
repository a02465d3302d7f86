// Hides what differs between two servers of one version: ids, times, counters, addresses, the order of a hash table.

export function mask(text: string, name: string): string {
  let masked = text
    .replace(/\r\n:\d+\r\n(?=\$4\r\nmode)/g, '\r\n:ID\r\n')
    .replace(/\$\d+\r\n(# [\s\S]*)/g, (_, info: string) => `$N\r\n${maskInfo(info)}`)
    .replace(/\$\d+\r\nid=\d+[^\n]*\n/g, (line) => line.replace(/[\d.:]+/g, 'N').replace(/fd=N|N/g, 'N'))
    .replace(/\$\d+\r\n(\d+|\/tmp\/rd|\/var\/lib\/redis)\r\n/g, (line, value: string) =>
      /^(16390|6379|\/)/.test(value) ? '$N\r\nOURS\r\n' : line,
    )
    .replace(/:1795\d{6}(\d{3})?\r\n/g, ':TIME\r\n')
    .replace(/(?<=^\+FULLRESYNC )[\da-f]{40} \d+/gm, 'ID OFFSET')
  masked = maskRdb(masked)
  if (/CONFIG GET .*[*?]|config get \*a|CONFIG GET databases/i.test(name))
    masked = masked
      .split(/(?=\*)|\r\n/)
      .sort()
      .join('\r\n')
  return masked
}

export function maskInfo(info: string): string {
  return info
    .replace(/^(cmdstat|errorstat|latency_percentiles)_.*\r\n/gm, '')
    .replace(/^([a-z0-9_]+):(.*)$/gm, (line, key: string, value: string) =>
      /^(redis_version|redis_mode|arch_bits|role|gcc_version|mem_allocator|cluster_enabled|hz|maxmemory_policy)$/.test(
        key,
      )
        ? line.trimEnd()
        : `${key}:${value
            .trim()
            .replace(/[\da-f]{40}|[\d.]+[KMGB%]?|Linux \S+|(?<=executable:|config_file:).*/g, 'N')
            .replace(/\/\S+/g, 'PATH')
            .replace(/^(no|systemd)$/, 'WHO')}`,
    )
}

/** What depends on the machine, its clock and its memory, and on how bytes came together in segments; of each, the value. */
const OF_THE_PROCESS = new RegExp(
  `^(${[
    'os|process_id|process_supervised|run_id|server_time_usec|uptime_in_\\w+|lru_clock|executable|config_file',
    'client_recent_max_\\w+_buffer|(?:used|total_system|lazyfree)_memory\\w*|used_memory\\w*|allocator_(?:allocated|active|resident)',
    '\\w+_ratio|(?:allocator|rss|mem)_\\w+_bytes|mem_clients_normal|mem_clients_slaves|mem_total_replication_buffers|mem_replication_backlog',
    'rdb_last_(?:save_time|bgsave_time_sec)|(?:rdb|aof)_last_cow_size|current_(?:fork_perc|cow_\\w+)|latest_fork_usec|instantaneous_\\w+',
    'total_net_\\w+_bytes|total_(?:reads|writes)_processed|expired_stale_perc|expire_cycle_cpu_milliseconds|used_cpu_\\w+',
    'master_last_io_seconds_ago|master_link_down_since_seconds',
  ].join('|')}):.*$`,
  'gm',
)

/** The figures of INFO that are those of a process; the commands come in the order of a hash table. */
export const maskFigures = (info: string): string =>
  info
    .replace(OF_THE_PROCESS, (_, key: string) => `${key}:N`)
    .replace(/(?<=usec(?:_per_call)?=)[\d.]+/g, 'N')
    .replace(/(?<=p[\d.]+=)[\d.]+/g, 'N')
    .replace(/(?<=avg_ttl=)\d+/g, 'N')
    .replace(/(?:^(?:cmdstat|latency_percentiles_usec)_.*\r\n)+/gm, (lines) =>
      lines
        .split(/(?<=\n)/)
        .sort()
        .join(''),
    )

/**
 * A reply that lists all commands, each list of commands or subcommands in order: the server keeps them in hash tables with a
 * random seed.
 */
export function sortCommands(text: string): string {
  const found = /[*%](?:240|480)\r\n(?=\*10\r\n|\$)/.exec(text)
  if (!found) return text
  const { shown, end } = inOrder(text, found.index)
  return text.slice(0, found.index) + shown + sortCommands(text.slice(end))
}

/** One reply, and where it ends. */
function inOrder(text: string, at: number): { shown: string; end: number } {
  const lineEnd = text.indexOf('\r\n', at) + 2
  if (lineEnd < 2) return { shown: text.slice(at), end: text.length }
  const count = Number(text.slice(at + 1, lineEnd - 2))
  if (!/[*~%]/.test(text[at]!)) {
    const end = /[$=]/.test(text[at]!) && count >= 0 ? lineEnd + count + 2 : lineEnd
    return { shown: text.slice(at, end), end }
  }
  const elements: string[] = []
  let end = lineEnd
  for (let left = text[at] === '%' ? 2 * count : count; left > 0 && end < text.length; left -= 1) {
    const element = inOrder(text, end)
    elements.push(element.shown)
    end = element.end
  }
  return { shown: text.slice(at, lineEnd) + sorted(elements).join(''), end }
}

/** Lists of COMMAND (ten fields each), of COMMAND LIST, and of COMMAND DOCS: names with a document behind each. */
function sorted(elements: readonly string[]): readonly string[] {
  if (elements.length > 0 && elements.every((one) => one.startsWith('*10\r\n'))) return [...elements].sort()
  if (elements.length === 240 && elements.every((one) => one.startsWith('$'))) return [...elements].sort()
  const isDocs =
    elements.length > 0 &&
    elements.every((one, at) => (at % 2 === 0 ? /^\$\d+\r\n[a-z]/ : /^[*%]\d+\r\n\$7\r\nsummary/).test(one))
  return isDocs
    ? elements.flatMap((one, at) => (at % 2 === 0 ? [one + elements[at + 1]] : [])).sort()
    : elements
}

/** The time, the memory, the replication and the checksum in an RDB. */
export const maskRdb = (text: string): string =>
  text.replace(/\$\d+\r\n(REDIS0010[\s\S]*\xff)[\s\S]{8}/g, (_, file: string) =>
    file
      .replace(/ctime\xc2[\s\S]{4}/, 'TIME')
      .replace(/used-mem\xc2[\s\S]{4}/, 'MEMORY')
      .replace(/(?<=repl-id\()[\da-f]{40}/, 'ID')
      .replace(/repl-offset(\xc0[\s\S]|\xc1[\s\S]{2}|\xc2[\s\S]{4})/, 'OFFSET'),
  )
