// 4.18: the ignored addresses of a Flock: its own list, that of the console, or both.
import Type from 'typebox'
import {
  askedLogtype,
  dst_port,
  flag,
  flock_id,
  forceWide,
  lineList,
  logtypes,
  range,
  src_ip,
  text,
} from '../fields.ts'
import { get, group, post } from '../operation.ts'
import { changeFlock, flockSwitch, readFlock, theDefault } from '../switches.ts'

const list = '/flock/settings/whitelisting/ip'
const ips = flockSwitch(list)
const inherits = flockSwitch(`${list}/inherit_global`)

const isEnabled = Type.Boolean({ description: 'Whether the list is enabled' })

const SanitizedEntries = Type.Record(text, Type.Record(text, Type.Array(Type.Integer())), {
  description:
    'Address or range, with the logtypes that it alone ignores, to list (flock, global) to ports; no port means every port',
})

export const flockIgnoreLists = group(
  'Flock ignore lists',
  'Touches from these addresses raise no incident in a Flock. At first the list of the console applies. Once the list of the Flock is enabled, it applies instead, or in addition if the Flock inherits.',
  {
    add: post(
      `${list}/whitelist_ip_port`,
      'admin',
      'flock',
      'Add an address, or an address and a port, to the ignored addresses of a Flock',
      { flock_id, src_ip: range, dst_port: Type.Optional(dst_port), logtypes, force: forceWide },
      Type.Object({ message: text }),
      { settings: 'flock', example: { ...theDefault, src_ip: '192.0.2.7', dst_port: 22 } },
    ),
    save: changeFlock(
      `${list}/save`,
      'Replace or clear the ignored addresses of a Flock',
      {
        flock_id,
        whitelist: Type.Optional({
          ...lineList,
          description:
            'IP addresses, CIDR ranges, ip:port and :port, separated by commas or newlines. Logtypes behind an address, separated by blanks, name the only kinds of touches that it ignores: `10.0.0.5 3000 22003`. # starts a comment, to the end of the line. Required without clear',
        }),
        clear: Type.Optional(flag),
        force: forceWide,
      },
      { whitelist: '192.0.2.7,198.51.100.0/24:22,:443,192.0.2.20 3000 22003' },
    ),
    enable: ips.enable('Enable the list of a Flock'),
    disable: ips.disable('Disable the list of a Flock: no address is ignored'),
    useGlobal: ips.useGlobal('Use the list of the console for a Flock'),
    inheritGlobal: inherits.enable('Add the list of the console to that of a Flock'),
    inheritNothing: inherits.disable('Use the list of a Flock without that of the console'),
    isEnabled: ips.isEnabled('Check whether addresses are ignored in a Flock'),
    isGlobal: ips.isGlobal('Check whether a Flock uses the list of the console'),
    isIgnored: get(
      `${list}/is_ip_whitelisted`,
      'read-only',
      'flock',
      'Check whether a port, or an address and port, is on the list of a Flock, even if it is disabled',
      { flock_id, src_ip: Type.Optional(src_ip), dst_port, logtype: askedLogtype },
      Type.Object({
        is_whitelist_enabled: flag,
        is_whitelisted: flag,
        matched_entry: text,
        matched_list: text,
      }),
      { example: { ...theDefault, src_ip: '192.0.2.7', dst_port: 22 } },
    ),
    asText: readFlock(
      `${list}/string`,
      'Read the list of a Flock as it was written',
      Type.Object({
        whitelist: Type.String({
          description: 'The entries, separated by commas; a comment ends with its line',
        }),
      }),
    ),
    sanitized: readFlock(
      `${list}/sanitized`,
      'Read the list that applies to a Flock, by address',
      Type.Object({
        whitelist: Type.Unsafe<[Record<string, Record<string, number[]>>, number[]]>(
          Type.Array(Type.Union([SanitizedEntries, Type.Array(Type.Integer())]), {
            description: 'A map of entries, then a list of ports that are ignored from every address',
          }),
        ),
      }),
    ),
    info: readFlock(
      '/flock/settings/whitelisting/info',
      'Read what is ignored in a Flock',
      Type.Object({
        whitelisting_info: Type.Object({
          hostname_ignorelisting: Type.Object({ enabled: isEnabled, hostnames: Type.Array(text) }),
          inherit_global_whitelist_ips: flag,
          ip_whitelisting: Type.Object({ enabled: isEnabled, ips: text }),
          src_port_ignorelisting: Type.Object({ enabled: isEnabled, src_ports: text }),
        }),
      }),
    ),
  },
)
