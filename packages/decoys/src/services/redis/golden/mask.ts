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

/** The time, the memory, the replication and the checksum in an RDB. */
export const maskRdb = (text: string): string =>
  text.replace(/\$\d+\r\n(REDIS0010[\s\S]*\xff)[\s\S]{8}/g, (_, file: string) =>
    file
      .replace(/ctime\xc2[\s\S]{4}/, 'TIME')
      .replace(/used-mem\xc2[\s\S]{4}/, 'MEMORY')
      .replace(/(?<=repl-id\()[\da-f]{40}/, 'ID')
      .replace(/repl-offset(\xc0[\s\S]|\xc1[\s\S]{2}|\xc2[\s\S]{4})/, 'OFFSET'),
  )
