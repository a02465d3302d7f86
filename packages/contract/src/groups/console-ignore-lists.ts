// 4.1: touches that raise no incident, on the whole console: by address, host name, port scan or known scanner.
import Type from 'typebox'
import {
  askedLogtype,
  dst_port,
  flag,
  forceWide,
  lineList,
  logtypes,
  range,
  src_ip,
  text,
} from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'
import { consoleSwitch } from '../switches.ts'

const hostname = Type.String({ maxLength: 254, description: 'A host name' })
const annotation = Type.String({
  maxLength: 64,
  description: 'Name of an annotation, such as palo_alto_pdf; a wrong one is answered with all names',
})
const kb_link = Type.String({ description: 'Page of the vendor of the scanner' })
const nice_name = Type.String({ description: 'Display name' })
const Annotation = Type.Object({
  kb_link,
  name: text,
  nice_name,
  text: Type.String({ description: 'Explanation, as readable text' }),
})
const IgnoreList = Type.Object({
  is_enabled: flag,
  lines: Type.Array(text, { description: 'The lines of the list, in their order' }),
})
const settings = 'console'
const ips = consoleSwitch('/settings/whitelisting')
const hostNames = consoleSwitch('/settings/ignore_hostnames')
const sourcePorts = consoleSwitch('/settings/ignorelist_src_port')
const annotations = consoleSwitch('/settings/ignored_annotations')
const ofAddress = { src_ip: '192.0.2.7' }
const ofAnnotation = { annotation: 'palo_alto_pdf' }

const lines = (description: string) =>
  Type.Optional({ ...lineList, description: `${description}; # starts a comment. Required without clear` })
const clear = Type.Optional(flag)

export const consoleIgnoreLists = group(
  'Console ignore lists',
  'Touches from these addresses, host names and known scanners raise no incident, in any Flock.',
  {
    all: get(
      '/settings/ignore_lists',
      'read-only',
      'console',
      'Read every ignore list of the console as it was typed, comments included',
      {},
      Type.Object({
        ignore_lists: Type.Object(
          {
            ip: { ...IgnoreList, description: 'Addresses' },
            hostname: { ...IgnoreList, description: 'Host names' },
            src_port: { ...IgnoreList, description: 'Addresses whose port scans are ignored' },
            annotation: { ...IgnoreList, description: 'Known scanners' },
          },
          { description: 'The lists, by what they ignore' },
        ),
      }),
    ),
    addIp: post(
      '/settings/whitelist_ip_port',
      'admin',
      'console',
      'Add an address, or an address and a port, to the ignored addresses',
      { src_ip: range, dst_port: Type.Optional(dst_port), logtypes, force: forceWide },
      Type.Object({ message: text }),
      { settings, example: { src_ip: '192.0.2.7', dst_port: 22 } },
    ),
    replaceIps: post(
      '/settings/whitelisting/whitelist_ips',
      'admin',
      'console',
      'Replace or clear the ignored addresses',
      {
        whitelist_ips: lines(
          'One IP address, CIDR range or ip:port on each line. Logtypes behind it, separated by blanks, name the only kinds of touches that it ignores: `10.0.0.5 3000 22003`',
        ),
        clear,
        force: forceWide,
      },
      Nothing,
      { settings, example: { whitelist_ips: '192.0.2.7\n192.0.2.20 3000 22003 # our scanner: page loads' } },
    ),
    removeIp: post(
      '/settings/whitelisting/remove_whitelist_ip',
      'admin',
      'console',
      'Remove every entry of an address from the ignored addresses',
      { src_ip: range },
      Type.Object({
        message: Type.Optional(
          Type.String({ description: 'Extension: which wider range still ignores the address' }),
        ),
      }),
      { settings, example: ofAddress },
    ),
    enableIps: ips.enable('Enable the list of ignored addresses'),
    disableIps: ips.disable('Disable the list of ignored addresses'),
    isIpIgnored: get(
      '/settings/is_ip_ignored',
      'read-only',
      'console',
      'Check whether an address is on the list, even if the list is disabled',
      { src_ip, dst_port: Type.Optional(dst_port), logtype: askedLogtype },
      Type.Object({
        is_ip_ignored: flag,
        is_ip_whitelisted: flag,
        is_whitelist_enabled: flag,
        matched_entry: text,
        matched_list: text,
      }),
      { example: ofAddress, aliases: ['/settings/is_ip_whitelisted'] },
    ),

    replaceHostNames: post(
      '/settings/ignore_hostnames',
      'admin',
      'console',
      'Replace or clear the ignored host names',
      {
        hostnames: lines(
          'One host name on each line; it also stands for every name below it, and may be written *.name',
        ),
        clear,
      },
      Nothing,
      { settings, example: { hostnames: 'scanners.example.com' } },
    ),
    enableHostNames: hostNames.enable('Enable the list of ignored host names'),
    disableHostNames: hostNames.disable('Disable the list of ignored host names'),
    isHostNameIgnored: get(
      '/settings/is_hostname_whitelisted',
      'read-only',
      'console',
      'Check whether a host name is on the list, even if the list is disabled',
      {
        hostname,
        dst_port: Type.Optional({
          ...dst_port,
          description: 'Destination port; not used: host names are ignored on every port',
        }),
      },
      Type.Object({ is_hostname_whitelisted: flag, is_whitelist_enabled: flag }),
      { example: { hostname: 'scan1.scanners.example.com' } },
    ),

    replaceSourcePortIps: post(
      '/settings/ignorelist_src_port',
      'admin',
      'console',
      'Replace or clear the addresses whose port scans are ignored',
      {
        ignorelist_src_port_ips: lines('One IP address or CIDR range on each line'),
        clear,
        force: forceWide,
      },
      Nothing,
      { settings, example: { ignorelist_src_port_ips: '192.0.2.20' } },
    ),
    enableSourcePorts: sourcePorts.enable('Enable the list of addresses whose port scans are ignored'),
    disableSourcePorts: sourcePorts.disable('Disable the list of addresses whose port scans are ignored'),

    ignoredAnnotations: get(
      '/settings/ignored_annotations',
      'read-only',
      'console',
      'List the ignored annotations',
      {},
      Type.Object({ ignored_annotations: Type.Array(Annotation) }),
    ),
    ignoreAnnotation: post(
      '/settings/ignored_annotations/ignore',
      'admin',
      'console',
      'Ignore touches that fit an annotation',
      { annotation },
      Type.Object({ message: text }),
      { settings, example: ofAnnotation },
    ),
    removeAnnotation: del(
      '/settings/ignored_annotations/remove',
      'admin',
      'console',
      'Stop ignoring touches that fit an annotation',
      { annotation },
      Type.Object({ message: text }),
      { settings, example: ofAnnotation },
    ),
    enableAnnotations: annotations.enable('Enable the list of ignored annotations'),
    disableAnnotations: annotations.disable('Disable the list of ignored annotations'),
    isAnnotationIgnored: get(
      '/settings/ignored_annotations/is_annotation_ignored',
      'read-only',
      'console',
      'Check whether an annotation is on the list, even if the list is disabled',
      { annotation },
      Type.Object({ ignored: flag, is_enabled: flag }),
      { example: ofAnnotation },
    ),
  },
)
