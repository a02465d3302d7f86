// 4.18: a Flock's own list of ignored addresses: in place of the console's, beside it, or following it.
import Type from 'typebox'
import { dst_port, flag, flock_id, lineList, range, src_ip, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

const settings = 'flock'
const example = { params: { flock_id: 'flock:default' } }
const list = '/flock/settings/whitelisting/ip'

const SanitizedEntries = Type.Record(text, Type.Record(text, Type.Array(Type.Integer())), {
  description: 'Address or range to where it stands (flock, global) to its ports; none is every port',
})

export const flockIgnoreLists = group(
  'Flock ignore lists',
  "Whose touches raise nothing in a Flock. Until it is switched on or off, a Flock follows the console's list of addresses; its own, once on, replaces that, or adds to it when it inherits.",
  {
    add: post(
      `${list}/whitelist_ip_port`,
      'admin',
      'Ignore an address in a Flock, or its traffic to one port',
      { flock_id, src_ip: range, dst_port: Type.Optional(dst_port) },
      Type.Object({ message: text }),
      { settings, example: { params: { flock_id: 'flock:default', src_ip: '192.0.2.7', dst_port: 22 } } },
    ),
    save: post(
      `${list}/save`,
      'admin',
      "Replace or clear a Flock's list of ignored addresses",
      {
        flock_id,
        whitelist: Type.Optional({
          ...lineList,
          description:
            'IP addresses, CIDR ranges, ip:port and :port, separated by commas or lines; # starts a comment that ends with its line. This or clear is required',
        }),
        clear: Type.Optional(flag),
      },
      Nothing,
      {
        settings,
        example: { params: { flock_id: 'flock:default', whitelist: '192.0.2.7,198.51.100.0/24:22,:443' } },
      },
    ),
    enable: post(`${list}/enable`, 'admin', "Switch a Flock's own list on", { flock_id }, Nothing, {
      settings,
      example,
    }),
    disable: post(`${list}/disable`, 'admin', 'Ignore no address in a Flock', { flock_id }, Nothing, {
      settings,
      example,
    }),
    useGlobal: post(
      `${list}/use_global`,
      'admin',
      "Let a Flock follow the console's list",
      { flock_id },
      Nothing,
      { settings, example },
    ),
    inheritGlobal: post(
      `${list}/inherit_global/enable`,
      'admin',
      "Add the console's list to a Flock's own",
      { flock_id },
      Nothing,
      { settings, example },
    ),
    inheritNothing: post(
      `${list}/inherit_global/disable`,
      'admin',
      "Let a Flock's own list stand alone",
      { flock_id },
      Nothing,
      { settings, example },
    ),
    isEnabled: get(
      `${list}/is_enabled`,
      'read-only',
      'Ask whether addresses are ignored in a Flock',
      { flock_id },
      Type.Object({ is_enabled: flag }),
      { example },
    ),
    isGlobal: get(
      `${list}/is_global`,
      'read-only',
      "Ask whether a Flock follows the console's list",
      { flock_id },
      Type.Object({ is_global: flag }),
      { example },
    ),
    isIgnored: get(
      `${list}/is_ip_whitelisted`,
      'read-only',
      'Ask whether the list that a Flock goes by has a port, or an address and a port, also while it is off',
      { flock_id, src_ip: Type.Optional(src_ip), dst_port },
      Type.Object({ is_whitelist_enabled: flag, is_whitelisted: flag }),
      { example: { params: { flock_id: 'flock:default', src_ip: '192.0.2.7', dst_port: 22 } } },
    ),
    asText: get(
      `${list}/string`,
      'read-only',
      "Read a Flock's own list as it was written",
      { flock_id },
      Type.Object({
        whitelist: Type.String({ description: 'The entries, separated by commas; lines end comments' }),
      }),
      { example },
    ),
    sanitized: get(
      `${list}/sanitized`,
      'read-only',
      "Read a Flock's own list, and the console's where it counts, by address",
      { flock_id },
      Type.Object({
        whitelist: Type.Unsafe<[Record<string, Record<string, number[]>>, number[]]>(
          Type.Array(Type.Union([SanitizedEntries, Type.Array(Type.Integer())]), {
            description: 'A map of entries, and behind it a list of ports that are ignored from everywhere',
          }),
        ),
      }),
      { example },
    ),
    info: get(
      '/flock/settings/whitelisting/info',
      'read-only',
      'Read what is ignored in a Flock',
      { flock_id },
      Type.Object({
        whitelisting_info: Type.Object({
          hostname_ignorelisting: Type.Object({ enabled: flag, hostnames: Type.Array(text) }),
          inherit_global_whitelist_ips: flag,
          ip_whitelisting: Type.Object({ enabled: flag, ips: text }),
          src_port_ignorelisting: Type.Object({ enabled: flag, src_ports: text }),
        }),
      }),
      { example },
    ),
  },
)
