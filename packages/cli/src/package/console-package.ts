// rookery-console_<version>_<architecture>.deb: the console as a service, and the command `rookery`.
import { OPTIONS, type OptionName } from '@rookery/console/config/options.ts'
import { CONSOLE_FLAGS } from '../../bin/node-settings.mjs'
import { bundleFiles, documentation, nativeFiles, nodeFiles, pageFiles } from './clone-files.ts'
import { CREDENTIALS, optionLines } from './conf-file.ts'
import type { DebPackage } from './deb.ts'
import { controlOf } from './package-control.ts'
import { scriptsOf } from './scripts.ts'
import { serviceUnit } from './service-unit.ts'

const NAME = 'rookery-console'
const FOLDER = 'usr/lib/rookery'
const NODE = [`/${FOLDER}/bin/node`, ...CONSOLE_FLAGS, `/${FOLDER}/app/rookery.mjs`]
/** The unit sets the first; a Bird has the others, and no package runs one inside the console. */
const NOT_HERE: readonly OptionName[] = [
  'ROOKERY_DATA_DIR',
  'ROOKERY_LOCAL_BIRD',
  'ROOKERY_BIRD_BIND',
  'ROOKERY_BIRD_PORT_OFFSET',
  'ROOKERY_BIRD_IP_STACK',
]

const INTRODUCTION = `# Options of the Rookery console: remove the # before those that you set, without quotes, then
#   systemctl restart rookery
# A secret is a file of root in /etc/rookery/secrets (chmod 600): systemd hands it to the console, and nobody else reads it.

`

export function consolePackage(clone: string, version: string): DebPackage {
  const names = (Object.keys(OPTIONS) as OptionName[]).filter((name) => !NOT_HERE.includes(name))
  const unit = serviceUnit({
    description: 'Rookery console',
    documentation: `file:/usr/share/doc/${NAME}/install.md`,
    user: 'rookery',
    configuration: 'console',
    command: [...NODE, 'serve'],
    capabilities: ['CAP_NET_BIND_SERVICE'],
    addressFamilies: ['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK'],
    more: ['LoadCredential=secret:/etc/rookery/secrets'],
  })
  return {
    control: controlOf(NAME, version, [
      'self-hosted deception console',
      'Decoy devices and decoy tokens that nobody has any business with: a touch',
      'raises an incident, and the people who must know are notified.',
    ]),
    scripts: scriptsOf({
      packageName: NAME,
      user: 'rookery',
      configuration: 'console',
      folder: FOLDER,
      holds: 'the database, the master key, the first API key',
      purges: ['/etc/rookery/secrets'],
    }),
    folders: [{ path: 'etc/rookery/secrets', mode: 0o700 }],
    files: [
      ...nodeFiles(clone, FOLDER),
      ...bundleFiles(clone, FOLDER),
      ...nativeFiles(clone, FOLDER),
      ...pageFiles(clone, FOLDER),
      ...documentation(clone, `usr/share/doc/${NAME}`),
      { path: `${FOLDER}/console.conf`, bytes: Buffer.from(INTRODUCTION + optionLines(names)) },
      { path: 'usr/lib/systemd/system/rookery.service', bytes: Buffer.from(unit) },
      { path: 'usr/lib/systemd/system/rookery-backup.service', bytes: Buffer.from(BACKUP_UNIT) },
      { path: 'usr/bin/rookery', bytes: Buffer.from(COMMAND), mode: 0o755 },
    ],
  }
}

/** Not enabled by the package. The command becomes the console's user; stopping the console stops the backups, too. */
const BACKUP_UNIT = `[Unit]
Description=Backups of the Rookery console
Documentation=file:/usr/share/doc/${NAME}/operate.md
After=rookery.service
PartOf=rookery.service

[Service]
ExecStartPre=/usr/bin/install -d -m 0700 -o rookery -g rookery /var/backups/rookery
ExecStart=/usr/bin/rookery backup --every 1d --keep 14 /var/backups/rookery
Restart=on-failure
RestartSec=60
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_CHOWN CAP_FOWNER CAP_DAC_OVERRIDE
ProtectSystem=strict
ReadWritePaths=/var/backups /var/lib/rookery
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes

[Install]
WantedBy=rookery.service
`

const COMMAND = `#!/bin/sh
# The command \`rookery\` as the service has it: its options, its secrets, and for root its user.
set -eu
export ROOKERY_DATA_DIR="\${ROOKERY_DATA_DIR:-/var/lib/rookery}"
if [ -r /etc/rookery/console.conf ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in ROOKERY_*=*) ;; *) continue ;; esac
    name=\${line%%=*} value=\${line#*=}
    case $value in
      ${CREDENTIALS}*) name=\${name%_FILE} value=$(cat "/etc/rookery/secrets/\${value#${CREDENTIALS}}") ;;
    esac
    export "$name=$value"
  done < /etc/rookery/console.conf
fi
set -- ${NODE.join(' ')} "$@"
if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid=rookery --regid=rookery --init-groups -- "$@"; fi
exec "$@"
`
