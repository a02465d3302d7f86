// 4.1: whose touches raise nothing, on the whole console. So far the list of IP addresses.
import Type from 'typebox'
import { dst_port, flag, lineList, src_ip, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

const range = Type.String({ description: 'An IP address or a CIDR range', maxLength: 64 })
const settings = 'console'
const example = { params: { src_ip: '192.0.2.7' } }

export const consoleIgnoreLists = group(
  'Console ignore lists',
  'Whose touches raise nothing, on the whole console.',
  {
    addIp: post(
      '/settings/whitelist_ip_port',
      'admin',
      'Ignore an address, or its traffic to one port',
      { src_ip: range, dst_port: Type.Optional(dst_port) },
      Type.Object({ message: text }),
      { settings, example: { params: { src_ip: '192.0.2.7', dst_port: 22 } } },
    ),
    replaceIps: post(
      '/settings/whitelisting/whitelist_ips',
      'admin',
      'Replace or clear the list of ignored addresses',
      {
        whitelist_ips: Type.Optional({
          ...lineList,
          description:
            'An IP address, a CIDR range or ip:port a line; # starts a comment. This or clear is required',
        }),
        clear: Type.Optional(flag),
      },
      Nothing,
      { settings, example: { params: { whitelist_ips: '192.0.2.7' } } },
    ),
    removeIp: post(
      '/settings/whitelisting/remove_whitelist_ip',
      'admin',
      'Take every entry of an address from the list',
      { src_ip: range },
      Nothing,
      { settings, example },
    ),
    enableIps: post(
      '/settings/whitelisting/enable',
      'admin',
      'Switch the list of ignored addresses on',
      {},
      Nothing,
      { settings },
    ),
    disableIps: post(
      '/settings/whitelisting/disable',
      'admin',
      'Switch the list of ignored addresses off',
      {},
      Nothing,
      { settings },
    ),
    isIpIgnored: get(
      '/settings/is_ip_ignored',
      'read-only',
      'Ask whether an address is on the list, also while the list is off',
      { src_ip, dst_port: Type.Optional(dst_port) },
      Type.Object({ is_ip_whitelisted: flag, is_whitelist_enabled: flag }),
      { example, aliases: ['/settings/is_ip_whitelisted'] },
    ),
  },
)
