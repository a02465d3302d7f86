// 4.1: whose touches raise nothing, on the whole console: addresses, host names, port scanners, known scanners of tokens.
import Type from 'typebox'
import { dst_port, flag, lineList, range, src_ip, text } from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'

const hostname = Type.String({ maxLength: 254, description: 'A host name' })
const annotation = Type.String({
  maxLength: 64,
  description: 'Name of an annotation: palo_alto_pdf or m365_defender_pdf',
})
const kb_link = Type.String({ description: "The scanner's own page about it" })
const nice_name = Type.String({ description: 'Its name, for people' })
const Annotation = Type.Object({
  kb_link,
  name: text,
  nice_name,
  text: Type.String({ description: 'What it says, for people' }),
})
const settings = 'console'
const ofAddress = { params: { src_ip: '192.0.2.7' } }
const ofAnnotation = { params: { annotation: 'palo_alto_pdf' } }

const lines = (description: string) =>
  Type.Optional({ ...lineList, description: `${description}; # starts a comment. This or clear is required` })
const clear = Type.Optional(flag)

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
      { whitelist_ips: lines('An IP address, a CIDR range or ip:port a line'), clear },
      Nothing,
      { settings, example: { params: { whitelist_ips: '192.0.2.7' } } },
    ),
    removeIp: post(
      '/settings/whitelisting/remove_whitelist_ip',
      'admin',
      'Take every entry of an address from the list',
      { src_ip: range },
      Nothing,
      { settings, example: ofAddress },
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
      { example: ofAddress, aliases: ['/settings/is_ip_whitelisted'] },
    ),

    replaceHostNames: post(
      '/settings/ignore_hostnames',
      'admin',
      'Replace or clear the list of ignored host names',
      { hostnames: lines('A host name a line, which stands for every name below it, too'), clear },
      Nothing,
      { settings, example: { params: { hostnames: 'scanners.example.com' } } },
    ),
    enableHostNames: post(
      '/settings/ignore_hostnames/enable',
      'admin',
      'Switch the list of ignored host names on',
      {},
      Nothing,
      { settings },
    ),
    disableHostNames: post(
      '/settings/ignore_hostnames/disable',
      'admin',
      'Switch the list of ignored host names off',
      {},
      Nothing,
      { settings },
    ),
    isHostNameIgnored: get(
      '/settings/is_hostname_whitelisted',
      'read-only',
      'Ask whether a host name is on the list, also while the list is off',
      {
        hostname,
        dst_port: Type.Optional({
          ...dst_port,
          description: 'Destination port; without meaning, as host names are ignored on every port',
        }),
      },
      Type.Object({ is_hostname_whitelisted: flag, is_whitelist_enabled: flag }),
      { example: { params: { hostname: 'scan1.scanners.example.com' } } },
    ),

    replaceSourcePortIps: post(
      '/settings/ignorelist_src_port',
      'admin',
      'Replace or clear the list of addresses whose port scans are ignored',
      { ignorelist_src_port_ips: lines('An IP address or a CIDR range a line'), clear },
      Nothing,
      { settings, example: { params: { ignorelist_src_port_ips: '192.0.2.20' } } },
    ),
    enableSourcePorts: post(
      '/settings/ignorelist_src_port/enable',
      'admin',
      'Switch the list of addresses whose port scans are ignored on',
      {},
      Nothing,
      { settings },
    ),
    disableSourcePorts: post(
      '/settings/ignorelist_src_port/disable',
      'admin',
      'Switch the list of addresses whose port scans are ignored off',
      {},
      Nothing,
      { settings },
    ),

    ignoredAnnotations: get(
      '/settings/ignored_annotations',
      'read-only',
      'Read which annotations are ignored',
      {},
      Type.Object({ ignored_annotations: Type.Array(Annotation) }),
    ),
    ignoreAnnotation: post(
      '/settings/ignored_annotations/ignore',
      'admin',
      'Ignore touches that an annotation explains',
      { annotation },
      Type.Object({ message: text }),
      { settings, example: ofAnnotation },
    ),
    removeAnnotation: del(
      '/settings/ignored_annotations/remove',
      'admin',
      'Ignore the touches of an annotation no longer',
      { annotation },
      Type.Object({ message: text }),
      { settings, example: ofAnnotation },
    ),
    enableAnnotations: post(
      '/settings/ignored_annotations/enable',
      'admin',
      'Switch the list of ignored annotations on',
      {},
      Nothing,
      { settings },
    ),
    disableAnnotations: post(
      '/settings/ignored_annotations/disable',
      'admin',
      'Switch the list of ignored annotations off',
      {},
      Nothing,
      { settings },
    ),
    isAnnotationIgnored: get(
      '/settings/ignored_annotations/is_annotation_ignored',
      'read-only',
      'Ask whether an annotation is on the list, also while the list is off',
      { annotation },
      Type.Object({ ignored: flag, is_enabled: flag }),
      { example: ofAnnotation },
    ),
  },
)
