// The settings of the device itself (specification 2.8): no service owns them. Pure data; loads in a browser.
import { byWord } from '@rookery/kernel/by-word.ts'
import { PRINTABLE_LINES, type SettingDescriptor, type TextFormat } from './descriptor.ts'

type About = Partial<SettingDescriptor>

const text = (title: string, more: About = {}): SettingDescriptor => ({
  type: 'text',
  default: '',
  title,
  maxLength: 255,
  ...more,
})
const toggle = (title: string, on: boolean, more: About = {}): SettingDescriptor => ({
  type: 'boolean',
  default: on,
  title,
  ...more,
})
const objects = (title: string, more: About): SettingDescriptor => ({
  type: 'list',
  default: [],
  title,
  ...more,
})

const NAME: TextFormat = {
  pattern: '[^\\p{Cc}\\u2028\\u2029]*[^\\s\\p{Cc}\\u2028\\u2029][^\\p{Cc}\\u2028\\u2029]*',
  expectation: 'one line that is not blank',
}
const ONE_LINE: TextFormat = { pattern: '[^\\p{Cc}\\u2028\\u2029]*', expectation: 'one line' }
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`
const ADDRESS: TextFormat = {
  pattern: `(?:${IPV4}|[\\dA-Fa-f]*:[\\dA-Fa-f:.]*)?`,
  expectation: 'an IP address such as 192.0.2.7, or empty',
}
const HOST_NAME: TextFormat = {
  pattern: '(?:[A-Za-z](?:[A-Za-z0-9-]{0,13}[A-Za-z0-9])?)?',
  expectation: 'a host name such as nas-02 (at most 15 letters, digits and hyphens), or empty',
}
const NETMASK: TextFormat = {
  pattern: `(?:${IPV4})?`,
  expectation: 'a netmask such as 255.255.255.0, or empty',
}

/** Three bytes, whose first one says that they are of a maker, and of one machine. */
const MAKER_PREFIX: TextFormat = {
  pattern: '(?:[\\dA-Fa-f][048Cc][:-]?[\\dA-Fa-f]{2}[:-]?[\\dA-Fa-f]{2})?',
  expectation: 'the first three bytes of a maker’s address, such as 00:11:32, or empty',
}

const network = {
  noEffect:
    'The Bird keeps it, and reports it after a roll-back; it does not change the network of its machine.',
}
const firewall = { noEffect: 'The Bird does not filter in this release: use the firewall of its machine.' }

export const deviceSettings = byWord<SettingDescriptor>({
  'device.ad_pubkey': text('Public key that joins a directory domain', {
    maxLength: 4_096,
    format: PRINTABLE_LINES,
    noEffect: 'No Bird of this release joins a directory domain.',
  }),
  'device.desc': text('Description', { maxLength: 1_000, format: PRINTABLE_LINES }),
  'device.dhcp.enabled': toggle('Take the address from the network (DHCP)', true, network),
  'device.dns1': text('First name server', { format: ADDRESS, ...network }),
  'device.dns2': text('Second name server', { format: ADDRESS, ...network }),
  'device.gw': text('Gateway', { format: ADDRESS, ...network }),
  'device.host_name': text('Name of the machine that decoys show', {
    format: HOST_NAME,
    mayBeMissing: true,
    whenEmpty: 'The machine has a name that is drawn for the Bird.',
  }),
  'device.ip_address': text('Address', { format: ADDRESS, ...network }),
  'device.ippers': text('Name of the IP personality', {
    format: ONE_LINE,
    noEffect: 'The Bird keeps it; its machine’s own IP stack answers.',
  }),
  'device.mac': text(
    'Hardware address that the machine reported; decoys show it, unless software made it up',
    {
      fixed: true,
    },
  ),
  'device.mac_prefix': text(
    'Maker’s prefix of the hardware address that decoys show, where the machine has none of a maker',
    {
      format: MAKER_PREFIX,
      mayBeMissing: true,
      whenEmpty: 'A maker is drawn that fits the machine that decoys show.',
    },
  ),
  'device.name': text('Name', { format: NAME }),
  'device.netmask': text('Netmask', { format: NETMASK, ...network }),
  'device.personality': text('Personality', {
    default: 'default',
    format: NAME,
    noEffect: 'It names the personality that the settings came from; the other settings are its effect.',
  }),
  'device.usermodule': objects('Modules of the user', { noEffect: 'This release runs no modules of users.' }),
  'firewall.enabled': toggle('Filter visitors', false, firewall),
  'firewall.rulelist': objects('Rules of the filter', { fields: ['port', 'rule', 'source'], ...firewall }),
  'remoteupdates.enabled': toggle('Take updates of its software from the console', true),
  'rollback.enabled': toggle('Go back to the last good settings when the console is out of reach', true),
})
