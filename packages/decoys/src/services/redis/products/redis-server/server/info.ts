// The reply of INFO: a server that has been up for weeks. Only what grows differs between two calls.
import { linuxKernel } from '../../../../../machine/linux-kernel.ts'
import type { Call, Server } from '../model/call.ts'
import { replicationId } from './replication.ts'
import { derivedNumber, lastStart, usedMemory } from './server-process.ts'
import { luaMemory, scriptMemory } from './script-memory.ts'

const DAY = 86_400

const DEFAULT = [
  'server',
  'clients',
  'memory',
  'persistence',
  'stats',
  'replication',
  'cpu',
  'modules',
  'errorstats',
  'cluster',
  'keyspace',
]
const ALL = [...DEFAULT.slice(0, 8), 'commandstats', 'errorstats', 'latencystats', 'cluster', 'keyspace']

/** Pages that Redis copied while a child wrote an empty data set, as Debian's server said it. */
const SAVE_COW_BYTES = 344_064
/** What the last fork took. */
const FORK_US = 413

/** The sections that the arguments name, in the server's order. */
export function infoText(call: Call): string {
  const names = call.args.slice(1).map((word) => word.toLowerCase())
  const wanted = new Set(names.length ? [] : DEFAULT)
  for (const name of names) {
    for (const each of name === 'all' || name === 'everything' ? ALL : name === 'default' ? DEFAULT : [name])
      wanted.add(each)
  }
  return ALL.filter((name) => wanted.has(name))
    .map((name) => sections[name]!(call))
    .join('\r\n')
}

const section = (title: string, facts: Readonly<Record<string, string | number>>): string =>
  `# ${title}\r\n${Object.entries(facts)
    .map(([key, value]) => `${key}:${value}\r\n`)
    .join('')}`

const zeros = (names: string): Record<string, number> =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, 0]),
  )

function human(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  const power = Math.min(5, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(2)}${'BKMGTP'[power]}`
}

/** How long a command takes on this Bird. */
const microsOf = (call: Call, command: string): number => derivedNumber(call, `micros/${command}`, 1, 8)

/** The highest nanosecond of the histogram's bucket: HdrHistogram keeps two digits, so that an octave has 128 buckets. */
function histogramMicros(micros: number): string {
  const nanos = micros * 1_000
  const bucket = 2 ** (Math.floor(Math.log2(nanos)) - 7)
  return ((Math.floor(nanos / bucket) * bucket + bucket - 1) / 1_000).toFixed(3)
}

const sections: Readonly<Record<string, (call: Call) => string>> = {
  server(call) {
    const { at, runId } = lastStart(call)
    const uptime = Math.floor(call.now / 1000) - at
    return section('Server', {
      redis_version: '7.0.15',
      redis_git_sha1: '00000000',
      redis_git_dirty: 0,
      redis_build_id: 'ae4d7c971a948f0',
      redis_mode: 'standalone',
      os: `Linux ${linuxKernel(call.context.derive)} x86_64`,
      arch_bits: 64,
      monotonic_clock: 'POSIX clock_gettime',
      multiplexing_api: 'epoll',
      atomicvar_api: 'c11-builtin',
      gcc_version: '12.2.0',
      process_id: derivedNumber(call, 'pid', 412, 1_900),
      process_supervised: 'systemd',
      run_id: runId,
      tcp_port: call.context.dst.port,
      server_time_usec: call.now * 1000 + 417,
      uptime_in_seconds: uptime,
      uptime_in_days: Math.floor(uptime / DAY),
      hz: Number(call.server.config.get('hz')),
      configured_hz: Number(call.server.config.get('hz')),
      lru_clock: Math.floor(call.now / 1000) % 2 ** 24,
      executable: '/usr/bin/redis-server',
      config_file: '/etc/redis/redis.conf',
      io_threads_active: 0,
    })
  },
  clients: ({ server }) =>
    section('Clients', {
      connected_clients: server.counters.clients,
      cluster_connections: 0,
      maxclients: Number(server.config.get('maxclients')),
      client_recent_max_input_buffer: 20_480,
      client_recent_max_output_buffer: 0,
      blocked_clients: server.waiting.size,
      tracking_clients: [...server.clients].filter(({ tracking }) => tracking).length,
      clients_in_timeout_table: [...server.waiting].filter(({ blocked }) => blocked?.until).length,
    }),
  memory(call) {
    const used = usedMemory(call)
    const rss = used + derivedNumber(call, 'rss', 9_000_000, 12_000_000)
    const peak = used + derivedNumber(call, 'peak', 100_000, 3_000_000)
    const total = [2_063_876_096, 4_110_409_728, 8_325_574_656, 16_769_089_536][
      derivedNumber(call, 'total', 0, 4)
    ]!
    const [overhead, startup] = [876_344, 876_144]
    const [allocated, active, resident] = [used + 740_000, used + 910_000, used + 3_600_000]
    const lua = luaMemory(call.server.scripts.size)
    const [scripts, functions] = [scriptMemory(call.server.scripts), 184]
    return section('Memory', {
      used_memory: used,
      used_memory_human: human(used),
      used_memory_rss: rss,
      used_memory_rss_human: human(rss),
      used_memory_peak: peak,
      used_memory_peak_human: human(peak),
      used_memory_peak_perc: `${((used / peak) * 100).toFixed(2)}%`,
      used_memory_overhead: overhead,
      used_memory_startup: startup,
      used_memory_dataset: used - overhead,
      used_memory_dataset_perc: `${(((used - overhead) / (used - startup)) * 100).toFixed(2)}%`,
      allocator_allocated: allocated,
      allocator_active: active,
      allocator_resident: resident,
      total_system_memory: total,
      total_system_memory_human: human(total),
      used_memory_lua: lua.eval,
      used_memory_vm_eval: lua.eval,
      used_memory_lua_human: human(lua.eval),
      used_memory_scripts_eval: scripts,
      number_of_cached_scripts: call.server.scripts.size,
      ...zeros('number_of_functions number_of_libraries'),
      used_memory_vm_functions: 32_768,
      used_memory_vm_total: lua.total,
      used_memory_vm_total_human: human(lua.total),
      used_memory_functions: functions,
      used_memory_scripts: functions + scripts,
      used_memory_scripts_human: human(functions + scripts),
      maxmemory: call.server.config.get('maxmemory') ?? 0,
      maxmemory_human: human(Number(call.server.config.get('maxmemory'))),
      maxmemory_policy: call.server.config.get('maxmemory-policy') ?? 'noeviction',
      allocator_frag_ratio: (active / allocated).toFixed(2),
      allocator_frag_bytes: active - allocated,
      allocator_rss_ratio: (resident / active).toFixed(2),
      allocator_rss_bytes: resident - active,
      rss_overhead_ratio: (rss / resident).toFixed(2),
      rss_overhead_bytes: rss - resident,
      mem_fragmentation_ratio: (rss / used).toFixed(2),
      mem_fragmentation_bytes: rss - used,
      ...zeros(
        'mem_not_counted_for_evict mem_replication_backlog mem_total_replication_buffers mem_clients_slaves',
      ),
      mem_clients_normal: 1_800,
      ...zeros('mem_cluster_links mem_aof_buffer'),
      mem_allocator: 'jemalloc-5.3.0',
      ...zeros('active_defrag_running lazyfree_pending_objects lazyfreed_objects'),
    })
  },
  persistence: ({ server }) => {
    const { running } = server.children
    return section('Persistence', {
      ...zeros('loading async_loading current_cow_peak current_cow_size current_cow_size_age'),
      current_fork_perc: '0.00',
      current_save_keys_processed: 0,
      current_save_keys_total: running?.keys ?? 0,
      rdb_changes_since_last_save: server.counters.dirty,
      rdb_bgsave_in_progress: Number(running !== undefined),
      rdb_last_save_time: Math.floor(server.counters.savedAt / 1000),
      rdb_last_bgsave_status: 'ok',
      rdb_last_bgsave_time_sec: server.counters.hasSavedInBackground ? 0 : -1,
      rdb_current_bgsave_time_sec: running ? 0 : -1,
      rdb_saves: server.counters.saves,
      rdb_last_cow_size: server.counters.hasSavedInBackground ? SAVE_COW_BYTES : 0,
      ...zeros('rdb_last_load_keys_expired rdb_last_load_keys_loaded'),
      aof_enabled: Number(server.config.get('appendonly') === 'yes'),
      ...zeros('aof_rewrite_in_progress aof_rewrite_scheduled'),
      aof_last_rewrite_time_sec: -1,
      aof_current_rewrite_time_sec: -1,
      aof_last_bgrewrite_status: 'ok',
      ...zeros('aof_rewrites aof_rewrites_consecutive_failures'),
      aof_last_write_status: 'ok',
      ...zeros('aof_last_cow_size module_fork_in_progress module_fork_last_cow_size'),
    })
  },
  stats: ({ server: { counters } }) =>
    section('Stats', {
      total_connections_received: counters.connections,
      total_commands_processed: counters.commands,
      instantaneous_ops_per_sec: 0,
      total_net_input_bytes: counters.commands * 31,
      total_net_output_bytes: counters.commands * 112,
      ...zeros('total_net_repl_input_bytes total_net_repl_output_bytes'),
      instantaneous_input_kbps: '0.00',
      instantaneous_output_kbps: '0.00',
      instantaneous_input_repl_kbps: '0.00',
      instantaneous_output_repl_kbps: '0.00',
      rejected_connections: 0,
      ...zeros('sync_full sync_partial_ok sync_partial_err expired_keys'),
      expired_stale_perc: '0.00',
      ...zeros(`expired_time_cap_reached_count expire_cycle_cpu_milliseconds evicted_keys evicted_clients
        total_eviction_exceeded_time current_eviction_exceeded_time`),
      keyspace_hits: counters.hits,
      keyspace_misses: counters.misses,
      ...zeros('pubsub_channels pubsub_patterns pubsubshard_channels'),
      latest_fork_usec: counters.forks > 0 ? FORK_US : 0,
      total_forks: counters.forks,
      ...zeros(`migrate_cached_sockets slave_expires_tracked_keys active_defrag_hits active_defrag_misses active_defrag_key_hits
        active_defrag_key_misses total_active_defrag_time current_active_defrag_time tracking_total_keys
        tracking_total_items tracking_total_prefixes unexpected_error_replies`),
      total_error_replies: counters.errorReplies,
      dump_payload_sanitizations: 0,
      total_reads_processed: counters.commands + counters.connections,
      total_writes_processed: counters.commands,
      ...zeros(
        'io_threaded_reads_processed io_threaded_writes_processed reply_buffer_shrinks reply_buffer_expands',
      ),
    }),
  replication: (call) =>
    section('Replication', {
      ...(call.server.master ? replicaFields(call.server.master) : { role: 'master' }),
      connected_slaves: 0,
      master_failover_state: 'no-failover',
      ...replicationIds(call),
      repl_backlog_active: 0,
      repl_backlog_size: 1_048_576,
      ...zeros('repl_backlog_first_byte_offset repl_backlog_histlen'),
    }),
  cpu(call) {
    const uptime = call.now / 1000 - lastStart(call).at
    const [system, user] = [uptime * 0.00113 + 0.009, uptime * 0.00149 + 0.011]
    return section('CPU', {
      used_cpu_sys: system.toFixed(6),
      used_cpu_user: user.toFixed(6),
      used_cpu_sys_children: '0.000000',
      used_cpu_user_children: '0.000000',
      used_cpu_sys_main_thread: (system * 0.998).toFixed(6),
      used_cpu_user_main_thread: (user * 0.997).toFixed(6),
    })
  },
  modules: () => section('Modules', {}),
  commandstats: (call) =>
    section(
      'Commandstats',
      Object.fromEntries(
        [...call.server.calls].map(([name, { run, rejected, failed }]) => {
          const micros = run > 0 ? microsOf(call, name) : 0
          return [
            `cmdstat_${name}`,
            `calls=${run},usec=${run * micros},usec_per_call=${micros.toFixed(2)},rejected_calls=${rejected},failed_calls=${failed}`,
          ]
        }),
      ),
    ),
  errorstats: ({ server }) =>
    section(
      'Errorstats',
      Object.fromEntries(
        [...server.errors].sort().map(([code, count]) => [`errorstat_${code}`, `count=${count}`]),
      ),
    ),
  latencystats: (call) =>
    section(
      'Latencystats',
      Object.fromEntries(
        [...call.server.calls]
          .filter(([, { run, waited }]) => run > waited)
          .map(([name]) => {
            const micros = histogramMicros(microsOf(call, name))
            return [`latency_percentiles_usec_${name}`, `p50=${micros},p99=${micros},p99.9=${micros}`]
          }),
      ),
    ),
  cluster: () => section('Cluster', { cluster_enabled: 0 }),
  keyspace: ({ server: { keyspace }, now }) => {
    const facts: Record<string, string> = {}
    for (let db = 0; db < 16; db += 1) {
      const count = keyspace.keys(db, now).length
      if (count) facts[`db${db}`] = `keys=${count},expires=${keyspace.expiring(db)},avg_ttl=0`
    }
    return section('Keyspace', facts)
  },
}

/** Of now, and of the time before it was a replica for a while. */
function replicationIds({ server: { formerMasters }, context }: Call): Record<string, string | number> {
  const isFirst = formerMasters === 0
  return {
    master_replid: replicationId(context, formerMasters),
    master_replid2: isFirst ? '0'.repeat(40) : replicationId(context, formerMasters - 1),
    master_repl_offset: 0,
    second_repl_offset: isFirst ? -1 : 1,
  }
}

/** A replica whose master never answers. */
const replicaFields = ({ host, port }: NonNullable<Server['master']>) => ({
  role: 'slave',
  master_host: host,
  master_port: port,
  master_link_status: 'down',
  master_last_io_seconds_ago: -1,
  master_sync_in_progress: 0,
  ...zeros('slave_read_repl_offset slave_repl_offset'),
  // The link was never up.
  master_link_down_since_seconds: -1,
  slave_priority: 100,
  slave_read_only: 1,
  replica_announced: 1,
})
