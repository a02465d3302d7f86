// The unit of systemd that runs the console or a Bird with as few rights as it needs.
import { ALLOCATION } from '../../bin/node-settings.mjs'

export interface ServiceOptions {
  readonly description: string
  readonly documentation: string
  /** The system user, and the name of the folders below /var/lib and /var/cache. */
  readonly user: string
  /** In /etc/rookery, without `.conf`. */
  readonly configuration: string
  readonly command: readonly string[]
  readonly capabilities: readonly string[]
  readonly addressFamilies: readonly string[]
  /** More lines of the section Service. */
  readonly more?: readonly string[]
}

/** Longer than the process's own (10 s), which says where the process hung. */
const WATCHDOG_S = 30

export function serviceUnit(options: ServiceOptions): string {
  const { description, documentation, user, configuration, command, capabilities, addressFamilies } = options
  return `[Unit]
Description=${description}
Documentation=${documentation}
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=${command.join(' ')}
Environment=ROOKERY_DATA_DIR=/var/lib/${user}
${Object.entries(ALLOCATION)
  .map(([name, value]) => `Environment=${name}=${value}`)
  .join('\n')}
Environment=NODE_COMPILE_CACHE=/var/cache/${user}
EnvironmentFile=-/etc/rookery/${configuration}.conf
${(options.more ?? []).map((line) => `${line}\n`).join('')}User=${user}
Group=${user}
StateDirectory=${user}
StateDirectoryMode=0700
CacheDirectory=${user}
CacheDirectoryMode=0700
WorkingDirectory=/var/lib/${user}
UMask=0077
LimitNOFILE=65536
WatchdogSec=${WATCHDOG_S}
Restart=on-failure
RestartSec=5
TimeoutStartSec=10min
TimeoutStopSec=15

NoNewPrivileges=yes
CapabilityBoundingSet=${capabilities.join(' ')}
AmbientCapabilities=${capabilities.join(' ')}
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictAddressFamilies=${addressFamilies.join(' ')}
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`
}
