// Configurations of log shippers, and a script for Samba. Each sends the logons of the accounts alone, uncompressed and in small
// parts: of a request, the first 64 KiB are read.
import type { TokenAddress } from '../../token.ts'
import { LOGON_EVENT_IDS } from './logon.ts'

type Feed = (address: TokenAddress, names: readonly string[]) => string

const idsIn = (write: (id: string) => string): string => LOGON_EVENT_IDS.map(write).join(' or ')

/** Of names whose characters are validated, `.` alone means something else in a pattern. */
const anyOf = (names: readonly string[]): string => names.map((it) => it.replaceAll('.', '[.]')).join('|')

export const winlogbeat: Feed = ({ url }, names) => {
  const { origin, pathname } = new URL(url)
  return `# winlogbeat.yml
winlogbeat.event_logs:
  - name: Security
    event_id: ${LOGON_EVENT_IDS.join(', ')}
    ignore_older: 1h
processors:
  - drop_event.when.not.regexp:
      winlog.event_data.TargetUserName: '(?i)^(${anyOf(names)})(@.*)?$'
  - include_fields:
      fields: [winlog.event_id, winlog.computer_name, winlog.event_data]
output.elasticsearch:
  hosts: ['${withPort(origin)}']
  path: '${pathname}'
  index: logs
  compression_level: 0
  bulk_max_size: 16
  allow_older_versions: true
setup.template.enabled: false
setup.ilm.enabled: false
`
}

export const nxlog: Feed = ({ url }, names) => `# nxlog.conf
<Extension json>
  Module xm_json
</Extension>
<Input logons>
  Module im_msvistalog
  <QueryXML>
    <QueryList><Query Id="0"><Select Path="Security">*[System[(${idsIn((id) => `EventID=${id}`)})]]</Select></Query></QueryList>
  </QueryXML>
  Exec if $TargetUserName !~ /(?i)^(${anyOf(names)})(@.*)?$/ drop();
</Input>
<Output console>
  Module om_http
  URL ${url}
  ContentType application/json
  Exec to_json();
</Output>
<Route logons_to_console>
  Path logons => console
</Route>
`

export const fluentBit: Feed = ({ url }, names) => {
  const { protocol, hostname, port, pathname } = new URL(url)
  const isTls = protocol === 'https:'
  const matches = [0, 1, 5].map((at) => `    Regex $StringInserts[${at}] ^(?i:(${anyOf(names)})(@.*)?)$`)
  return `# fluent-bit.conf
[INPUT]
    Name winevtlog
    Tag logons
    Channels Security
    Event_Query *[System[(${idsIn((id) => `EventID=${id}`)})]]
    DB logons.sqlite
[FILTER]
    Name grep
    Match logons
    Logical_Op or
${matches.join('\n')}
[FILTER]
    Name record_modifier
    Match logons
    Allowlist_key EventID
    Allowlist_key Computer
    Allowlist_key StringInserts
[OUTPUT]
    Name http
    Match logons
    Host ${hostname.replace(/^\[|\]$/g, '')}
    Port ${port === '' ? (isTls ? 443 : 80) : port}
    URI ${pathname}
    Format json_lines
    Tls ${isTls ? 'On' : 'Off'}
`
}

export const sambaScript: Feed = ({ url }, names) => `#!/bin/sh
# For a domain controller of Samba. In smb.conf, section [global], and then restart Samba:
#   log level = 1 auth_json_audit:3@/var/log/samba/logons.json
# Run this as a service; its argument is the log file.
log=\${1:-/var/log/samba/logons.json}
tail -n 0 -F "$log" |
  grep --line-buffered -iE '"(client|mapped)Account": "([^"]*\\\\)?(${anyOf(names)})(@[^"]*)?"' |
  while IFS= read -r line; do
    printf '%s\\n' "$line" | curl -s -m 20 --retry 5 --retry-connrefused -o /dev/null -H 'Content-Type: application/json' \\
      --data-binary @- "${url}?dc=$(hostname)"
  done
`

/** Winlogbeat takes port 9200 where an address has none. */
const withPort = (origin: string): string =>
  /:\d+$/.test(origin) ? origin : `${origin}:${origin.startsWith('https:') ? 443 : 80}`
